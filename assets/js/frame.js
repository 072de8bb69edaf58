// Inside a course page: the height is told to the page around it, and nothing of that page is taken, neither history nor scroll.

const FRAME_GAP = 12;
const FRAME_LOWEST = 240;

const inFrame = () => window.parent !== window;

/**
 * Tell the page around how high this one is, now and on every change. What is measured is the content, which does not depend on the
 * height of the frame: a frame that follows does not make it grow.
 */
function createFrameHeight(lab) {
  if (!inFrame() || !hostIsOwn()) return { stop() {} };
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

/** The part of a frame that is in sight, from its own top: the browser tells it even where the page around is another's. */
function frameBand() {
  return new Promise((done) => {
    const seen = new IntersectionObserver(([{ intersectionRect: { top, bottom } }]) => { seen.disconnect(); done({ top, bottom }); });
    seen.observe(document.documentElement);
  });
}

/** A frame may be higher than the window, and its middle out of sight: there a dialog opens in the part that is seen. */
async function openModal(dialog) {
  if (inFrame()) {
    const { top, bottom } = await frameBand();
    const maxHeight = `${Math.max(FRAME_LOWEST, bottom - top - 2 * FRAME_GAP)}px`;
    Object.assign(dialog.style, { top: `${top + FRAME_GAP}px`, bottom: 'auto', marginTop: 0, maxHeight });
  }
  dialog.showModal();
}

/** Write to the clipboard; rejects where that is refused. A frame without the right is not even tried: Chromium complains on the console. */
async function clipboardWrite(text) {
  if (document.featurePolicy?.allowsFeature('clipboard-write') === false) throw new DOMException('The frame may not.', 'NotAllowedError');
  await navigator.clipboard.writeText(text);
}

/** Copy, or where the clipboard is refused mark the text in its field, to be copied by hand. Returns whether it was copied. */
async function copyFrom(field) {
  try {
    await clipboardWrite(field.value);
    return true;
  } catch { // no permission, no clipboard
    field.focus({ preventScroll: true });
    field.select();
    return false;
  }
}
