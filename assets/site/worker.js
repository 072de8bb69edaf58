// Python of a lab's page, off the page's own thread. Where Pyodide is, is written here when the site is.

import { loadPyodide } from 'PYODIDE_FOLDER/pyodide.mjs';

const say = (step) => self.postMessage({ type: 'step', step });
/** Of a traceback the line that says what it is; the whole of it goes to the console. */
const reasonOf = (error) => {
  const lines = String(error?.message ?? error).trim().split('\n');
  return lines.findLast((line) => /^[\w.]+(Error|Exception|NotFound)\b/.test(line)) ?? lines.at(-1);
};

async function start({ lab, search, packages, wheels }) {
  say('loading Python');
  const python = await loadPyodide({ indexURL: new URL('PYODIDE_FOLDER/', self.location.href).href });
  say('loading NumPy and Panel');
  await loadParts(python, [...packages, ...wheels.map((name) => new URL(`wheels/${name}`, self.location.href).href)]);
  say('starting Panel');
  const live = python.pyimport('rnnscope.app.site.live');
  live.load();
  say('computing the lab');
  self.postMessage({ type: 'live', shown: await live.start(lab, search) });
  live.link((patch, buffers) => self.postMessage({ type: 'patch', patch, buffers }));
  return live;
}

/** Pyodide reports what it could not load, and goes on without it. */
async function loadParts(python, parts) {
  const errors = [];
  await python.loadPackage(parts, { messageCallback: () => {}, errorCallback: (text) => errors.push(text) });
  if (errors.length) throw new Error(errors[0]);
}

let live = null;

self.onmessage = async ({ data }) => {
  try {
    if (data.type === 'start') live = await start(data);
    else live.receive(data.patch);
  } catch (error) {
    console.error(error);
    self.postMessage({ type: 'failed', reason: reasonOf(error) });
  }
};
