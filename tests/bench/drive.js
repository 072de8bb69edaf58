// Drives one slider in the page and takes the time of each move: from the change to the arrival of its data,
// and to the second animation frame after that, when the first frame with the new data is on screen.
async ({ kind, values, rest }) => {
  const PATIENCE_MS = 5000;
  const deep = (selector, root = document) => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].reduce((found, element) => found ?? (element.shadowRoot && deep(selector, element.shadowRoot)), null);
  const frame = () => new Promise(requestAnimationFrame);
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  let arrived = () => {};

  const targets = {
    /** RNNScope: the native range input; the page marks each answer in `data-sequence`. */
    lab() {
      const input = deep('input[type=range][data-key=rho]');
      new MutationObserver(() => arrived()).observe(deep('.rs[data-sequence]'), { attributeFilter: ['data-sequence'] });
      return (value) => { input.value = value; input.dispatchEvent(new Event('input', { bubbles: true })); };
    },
    /** The bare page: Bokeh's own slider model, and the source that the server assigns. */
    bare() {
      const [page] = Bokeh.documents;
      const slider = page.get_model_by_name('rho'), source = page.get_model_by_name('curves');
      source.properties.data.change.connect(() => arrived());
      return (value) => { slider.value = value; };
    },
    /** The floor: nothing changes, two frames pass. */
    nothing: () => () => arrived(),
  };

  const change = targets[kind]();
  const moves = [];
  for (const value of values) {
    const data = new Promise((done, fail) => { arrived = done; setTimeout(fail, PATIENCE_MS, `no answer to ${value}`); });
    const start = performance.now();
    change(value);
    await data;
    const dataTime = performance.now() - start;
    await frame();
    await frame();
    moves.push([dataTime, performance.now() - start]);
    if (rest) await pause(rest);
  }
  return moves;
}
