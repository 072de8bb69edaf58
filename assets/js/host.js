// The page around a lab: our own, or that of a notebook, which has a theme and keys of its own and no address that brings the lab back.

const HOST_THEMES = ['data-jp-theme-light', 'data-vscode-theme-kind'];

/** Whether the page around the lab is ours: its address is the lab's, and what is behind the cards is ours too. A course page or a notebook is not. */
const hostIsOwn = () => document.documentElement.dataset.rnnscope !== undefined;

/** Whether it has a server, and so an address for every state: a static copy has none. */
const hostIsLive = () => document.documentElement.dataset.rnnscope === 'page';

/** The theme that a notebook around the lab has chosen, JupyterLab's or VS Code's; null where it says nothing. */
function hostTheme() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === 'true' ? 'light' : 'dark';
  return vscodeThemeKind ? (vscodeThemeKind.endsWith('light') ? 'light' : 'dark') : null;
}

/** Call `act` when a notebook's theme changes; returns what ends that. */
function hostOnTheme(act) {
  const watch = new MutationObserver(act);
  watch.observe(document.body, { attributes: true, attributeFilter: HOST_THEMES });
  return () => watch.disconnect();
}

/**
 * Panel's way to Python in a notebook sends back whatever Python has just sent, every frame too, and colours in a form that Python refuses.
 * Bokeh marks what is not to be sent; its own server's way heeds that.
 */
function hostMuteEchoes(bokeh) {
  const manager = bokeh?.roots().find((root) => '_document_changed' in root);
  if (!manager || Object.hasOwn(manager, '_document_changed')) return;
  const changed = manager._document_changed.bind(manager);
  manager._document_changed = (event) => { if (event.sync) changed(event); };
}

/** In a notebook: a background of our own, and keys that mean something here mean nothing to the notebook. */
function hostSettle(root, bokeh) {
  if (hostIsOwn()) return;
  hostMuteEchoes(bokeh);
  root.classList.add('guest');
  root.addEventListener('keydown', (event) => event.stopPropagation());
  for (let { host } = root.getRootNode(); host; { host } = host.getRootNode()) host.setAttribute('data-lm-suppress-shortcuts', 'true');
}
