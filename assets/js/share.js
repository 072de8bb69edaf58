// The link to what is on screen: copied, shown where the clipboard is refused, and kept in the address bar of our own pages.

const ADDRESS_PAUSE_MS = 300;
const TOAST_MS = 1600;

function createSharing(query) {
  const own = hostIsOwn();
  const link = () => `${location.origin}${location.pathname}${query() ? `?${query()}` : ''}`;
  const writeAddress = () => { if (own && link() !== location.href) history.replaceState(history.state, '', link()); };
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
        await navigator.clipboard.writeText(link());
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
  const open = (url) => { field.value = url; element.showModal(); field.select(); };
  return { element, open };
}

function showToast(toast, text) {
  toast.textContent = text;
  toast.hidden = false;
  setTimeout(() => { toast.hidden = true; }, TOAST_MS);
}
