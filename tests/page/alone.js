/**
 * What a page without a server keeps for its next start, for a test.
 */
(() => {
  const found = async (ending) => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const requests = await cache.keys();
      const request = requests.find(({ url }) => new URL(url).pathname.endsWith(ending));
      if (request) return { cache, request };
    }
  };

  /**
   * Whether the memory of Python is kept.
   */
  const remembered = async () => Boolean(await found("/memory"));

  /**
   * Writes other bytes over those of a file that is kept, wherever they are in it.
   */
  const forge = async ([ending, from, to]) => {
    const { cache, request } = await found(ending);
    const answer = await cache.match(request);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const [sought, other] = [from, to].map((text) => new TextEncoder().encode(text));
    for (let at = -1; (at = bytes.indexOf(sought[0], at + 1)) >= 0; ) {
      if (sought.every((byte, more) => bytes[at + more] === byte)) bytes.set(other, at);
    }
    await cache.put(request, new Response(bytes, answer));
  };

  /**
   * Leaves but so many bytes of the memory that is kept, or puts something into its headers.
   */
  const spoil = async ([bytes, headers]) => {
    const { cache, request } = await found("/memory");
    const answer = await cache.match(request);
    const whole = await answer.arrayBuffer();
    const init = { headers: { ...Object.fromEntries(answer.headers), ...headers } };
    await cache.put(request, new Response(whole.slice(0, bytes), init));
  };

  return { remembered, forge, spoil };
})()
