// The page of a site without a server. The lab as it starts is in the page, and is drawn at once; Python starts in a worker
// meanwhile, and its lab then takes the place of the picture.

(() => {
  const page = document.documentElement;
  const settings = JSON.parse(document.getElementById('rnnscope-settings').textContent);
  const notice = document.querySelector('.starting');
  const step = notice.querySelector('[data-step]');
  const PATIENCE_MS = 60_000;
  let drawn = null, shown = null, patience = null;

  const shareButtons = (disabled) => document.querySelectorAll('[data-share]').forEach((button) => { button.disabled = disabled; });

  async function begin() {
    shareButtons(true);
    notice.querySelector('[data-link]').hidden = !location.search;
    try {
      drawn = await draw(settings);
    } catch (error) {
      return failed(error);
    }
    return startPython();
  }

  /** The picture: the lab's own scripts draw it. Nothing in it can be set yet, and nothing writes the address. */
  async function draw({ docs, items, dark }) {
    if (typeof Bokeh === 'undefined') throw new Error('a script of the page is missing');
    const [views] = await Bokeh.embed.embed_items(docs, items);
    const model = rootModel(views);
    if (isDark()) model.document.apply_json_patch(dark, new Map());
    whenDrawn((root) => {
      root.classList.toggle('embed', page.classList.contains('embed'));
      showDetails(model);
      holdStill(root.getRootNode().host);
    });
    return model.document;
  }

  const isDark = () => (page.dataset.theme ? page.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches);
  const rootModel = (views) => [...views.roots.values()][0].model;
  const rootElements = (items) => items[0].root_ids.map((id) => document.getElementById(items[0].roots[id]));

  /** The component of the lab is loaded a moment after its place is there. */
  function whenDrawn(act) {
    const root = rootElements(settings.items)[0].firstElementChild?.shadowRoot?.querySelector('.rs[data-sequence]');
    if (root) act(root);
    else requestAnimationFrame(() => whenDrawn(act));
  }

  /** What the lab computes at rest: its answers are in the page too. */
  function showDetails(model) {
    if (shown) return;
    for (const { json, data } of settings.details) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      model.data.frame = { json, data: new Float64Array(bytes.buffer) };
    }
  }

  /** A control that does nothing must not look as if it did. Scrolling, selecting text and tables that open still work. */
  function holdStill(host) {
    if (shown) return;
    for (const field of host.shadowRoot.querySelectorAll('input, select, textarea, button')) field.disabled = true;
    for (const kind of ['click', 'pointerdown', 'pointermove', 'keydown']) host.addEventListener(kind, holdBack, { capture: true });
    host.dataset.picture = 'drawn';
  }

  function holdBack(event) {
    const opened = event.composedPath().some(({ localName }) => localName === 'summary');
    if (!opened) event.stopPropagation();
  }

  // --- Python ------------------------------------------------------------------------------------------------------------

  function startPython() {
    try {
      const worker = new Worker('worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => hear(worker, data);
      worker.onerror = (event) => failed(event.message || 'its files could not be loaded');
      worker.postMessage({ type: 'start', search: location.search, lab: settings.lab, packages: settings.packages, wheels: settings.wheels });
      wait('loading Python');
    } catch (error) { // a page that is opened from disk may have no worker
      failed(location.protocol === 'file:' ? 'a page opened from disk may not start it; serve the folder, for example with python -m http.server' : error);
    }
  }

  async function hear(worker, message) {
    if (message.type === 'step') wait(message.step);
    else if (message.type === 'patch') shown.apply_json_patch(message.patch, message.buffers);
    else if (message.type === 'failed') failed(message.reason);
    else await replace(worker, JSON.parse(message.shown)).catch(failed);
  }

  function wait(words) {
    step.textContent = words;
    clearTimeout(patience);
    patience = setTimeout(() => { step.textContent = `${words}; nothing has arrived for a minute, and it goes on when something does`; }, PATIENCE_MS);
  }

  /** The live lab in the place of its picture. It is listened to before it is drawn: it asks at once. What Python itself has set is
   *  no news to it, but an answer may ask the next question: Bokeh marks which is which. */
  async function replace(worker, { docs, roots }) {
    clearTimeout(patience);
    const [content] = Object.values(docs);
    shown = drawn.constructor.from_json(content);
    shown.on_change((event) => {
      if (event.sync) worker.postMessage({ type: 'patch', patch: shown.create_json_patch([event]) });
    });
    const main = document.querySelector('main'), places = rootElements(settings.items);
    main.style.minHeight = `${main.offsetHeight}px`; // the reader keeps the place on the page
    drawn.views_manager.clear();
    places.forEach((place) => place.replaceChildren());
    page.dataset.rnnscope = 'page';
    await Bokeh.embed.add_document_standalone(shown, document.body, places.slice(0, roots.length));
    whenDrawn((root) => {
      const { top } = root.getBoundingClientRect();
      notice.remove();
      if (scrollY) scrollBy(0, root.getBoundingClientRect().top - top);
      main.style.minHeight = '';
      shareButtons(false);
    });
  }

  function failed(error) {
    clearTimeout(patience);
    const words = shown ? 'Python reports an error' : 'Python could not be started';
    const stays = shown ? 'What you see is the last answer.' : 'What you see is the lab as it starts; it cannot be changed.';
    const again = document.createElement('button');
    Object.assign(again, { className: 'btn', type: 'button', textContent: 'Try again', onclick: () => location.reload() });
    const text = document.createElement('p');
    text.textContent = `${words}: ${String(error?.message ?? error).replace(/\.$/, '')}. ${stays}`;
    notice.setAttribute('role', 'alert');
    notice.replaceChildren(text, again);
    if (!notice.isConnected) document.querySelector('main').prepend(notice);
  }

  begin();
})();
