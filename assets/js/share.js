// The link to what is on screen: copied, shown where the clipboard is refused, and kept in the address bar of our own pages.

const ADDRESS_PAUSE_MS = 300;
const TOAST_MS = 1600;
const TOAST_FOOT = 24;

function createSharing(query, { address, embed }) {
  const place = () => (hostIsOwn() || !address ? `${location.origin}${location.pathname}` : address);
  const link = () => `${place()}${query() ? `?${query()}` : ''}`;
  const keeps = hostIsLive() && !embed && !inFrame(); // a course page's history is its own
  const writeAddress = () => { if (keeps && link() !== location.href) history.replaceState(history.state, '', link()); };
  const dialog = createShareDialog(), toast = h('div', { class: 'toast', role: 'status', hidden: true });
  let pause = null, asked = 0;
  return {
    element: h('div', {}, dialog.element, toast),
    writeAddress,
    /** At once after a rest, after a pause in a drag: an address costs a move 5 ms, and browsers limit how often it may change. */
    remember() {
      const rested = Date.now() - asked > ADDRESS_PAUSE_MS;
      asked = Date.now();
      clearTimeout(pause);
      pause = setTimeout(writeAddress, rested ? 0 : ADDRESS_PAUSE_MS);
    },
    async share() {
      try {
        await clipboardWrite(link());
        showToast(toast, 'Link copied');
      } catch { // no permission, no clipboard: copy by hand
        dialog.open(link());
      }
    },
  };
}

function createShareDialog() {
  const field = h('input', { type: 'text', readonly: true, class: 'txt', 'aria-label': 'Link to what is on screen' });
  const close = h('form', { method: 'dialog' }, h('button', { class: 'btn' }, 'Close'));
  const why = h('p', {}, 'The clipboard is not available here. Copy the link from this field.');
  const element = h('dialog', { class: 'share', 'aria-label': 'Copy link' }, h('h2', {}, 'Link to what is on screen'), why, field, close);
  const open = async (url) => { field.value = url; await openModal(element); field.select(); };
  return { element, open };
}

/** At the foot of what is in sight. */
async function showToast(toast, text) {
  if (inFrame()) toast.style.bottom = `${innerHeight - (await frameBand()).bottom + TOAST_FOOT}px`;
  toast.textContent = text;
  toast.hidden = false;
  setTimeout(() => { toast.hidden = true; }, TOAST_MS);
}
