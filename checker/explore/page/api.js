// @ts-check
// How the page asks its server.

/**
 * ask asks for an answer. It throws an Error with the server's sentence.
 * @param {string} name
 * @param {any} body an object, or text that is JSON
 * @param {AbortSignal} [signal]
 */
async function request(name, body, signal) {
  let response;
  try {
    response = await fetch('api/' + name, {
      method: 'POST', headers: {'Content-Type': 'application/json'}, signal,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (signal && signal.aborted) throw error;
    throw new Error('The explorer does not answer: it has ended, or was started again with another address.');
  }
  if (response.ok) return response;
  const text = await response.text();
  let says = text;
  try { says = JSON.parse(text).error; } catch { /* it is plain text */ }
  throw new Error(says);
}

/** @param {string} name @param {any} body */
export const ask = async (name, body) => (await request(name, body)).json();

/**
 * follow asks for what takes its time, and hands on each event that is told of it, until it ends or is
 * stopped.
 * @param {string} name
 * @param {any} body
 * @param {AbortSignal} signal
 * @param {(event: string, data: any) => void} told
 */
export async function follow(name, body, signal, told) {
  const response = await request(name, body, signal);
  const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    text += value;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const [event, data] = text.slice(0, end).split('\ndata: ');
      told(event.replace('event: ', ''), JSON.parse(data));
    }
  }
}
