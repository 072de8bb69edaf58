// Drags the slider of a page, one move a frame, and takes the time between frames; before that the first move of the page by itself:
// from the change to the second frame after it, when what it changed is on screen.
async (count) => {
  const input = document.querySelector('input[type=range]'), frame = () => new Promise(requestAnimationFrame);
  const places = Math.round((input.max - input.min) / input.step);
  const move = (i) => {
    const at = (i + 7) % (2 * places);
    input.value = Number(input.min) + Number(input.step) * (at > places ? 2 * places - at : at);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  await frame();
  const start = performance.now();
  move(0);
  await new Promise(queueMicrotask);
  const answered = performance.now() - start;
  await frame();
  await frame();
  const first = performance.now() - start, times = [];
  for (let i = 1; i <= count; i += 1) {
    times.push(await frame());
    move(i);
  }
  return { answered, first, frames: times.slice(1).map((time, i) => time - times[i]) };
}
