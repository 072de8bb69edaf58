// The way to Python: one message at a time.

/** While one message is being answered, newer values replace older ones that wait, and the last always goes. */
function createQueue(post) {
  let sequence = 0, busy = false, flying = {};
  const waiting = [];
  const send = (message) => {
    busy = true;
    sequence += 1;
    flying = message.values ?? {};
    post({ ...message, sequence });
  };
  return {
    send(message) {
      if (busy) queuePut(waiting, message);
      else send(message);
    },
    answered(number) {
      if (number !== sequence) return;
      busy = false;
      flying = {};
      if (waiting.length) send(waiting.shift());
    },
    /** Whether a newer value of this key is on its way: an older answer must not set the control back. */
    pending: (key) => key in flying || waiting.some(({ values }) => values && key in values),
    get waits() { return busy || waiting.length > 0; },
  };
}

/** Merge into the message that waits last where it does the same; else, and always where a part is told something, wait behind it. */
function queuePut(waiting, message) {
  const last = waiting.at(-1);
  if (last?.action !== message.action || message.action === 'tell') waiting.push(message);
  else if (message.action === 'set') Object.assign(last.values, message.values);
  else waiting[waiting.length - 1] = message;
}
