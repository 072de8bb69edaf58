// Inside a course page: the height is told to the page around it, and nothing of that page is taken, neither history nor scroll.

const FRAME_GAP = 12;

const inFrame = () => window.parent !== window;

/** Whether the document is a page of ours: not a course page that took the lab in by script, nor a notebook. */
const ownPage = () => document.documentElement.dataset.rnnscope !== undefined;

/** Whether it has a server, and so an address for every state: a static copy has none. */
const livePage = () => document.documentElement.dataset.rnnscope === 'page';

/**
 * Tell the page around how high this one is, now and on every change. What is measured is the content, which does not depend on the
 * height of the frame: a frame that follows does not make it grow.
 */
function createFrameHeight(lab) {
  if (!inFrame() || !ownPage()) return { stop() {} };
  let told = 0;
  const tell = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    window.parent.postMessage({ type: 'rnnscope:height', height, lab }, '*');
  };
  const seen = new ResizeObserver(tell);
  seen.observe(document.documentElement);
  return { stop: () => seen.disconnect() };
}

/** In a frame a dialog opens beside what asked for it: the frame may be higher than the window, and its middle out of sight. */
function openModal(dialog, opener) {
  if (inFrame() && opener) {
    const { top } = opener.getBoundingClientRect();
    Object.assign(dialog.style, { top: `${Math.max(FRAME_GAP, top - FRAME_GAP)}px`, bottom: 'auto', marginTop: 0 });
  }
  dialog.showModal();
  const beyond = dialog.getBoundingClientRect().bottom + FRAME_GAP - innerHeight;
  if (inFrame() && opener && beyond > 0) dialog.style.top = `${Math.max(FRAME_GAP, parseFloat(dialog.style.top) - beyond)}px`;
}

/** Copy, or where the clipboard is refused mark the text in its field, to be copied by hand. Returns whether it was copied. */
async function copyFrom(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch { // no permission, no clipboard
    field.focus({ preventScroll: true });
    field.select();
    return false;
  }
}
