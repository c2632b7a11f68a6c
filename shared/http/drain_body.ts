const maxMilliseconds = 10_000;

/** Bytes that are read of a body before a refusal is sent, in functions that take no larger ones. */
export const usualDrain: number = 25 * 1024 * 1024;

/**
 * Reads what is left of a request body and throws it away, up to `maxBytes` and 10 s. A client that is answered while
 * it still sends sees a broken connection instead of the answer; on the hosted platform the connection may hang.
 */
export async function drainBody({ body }: Request, maxBytes: number): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  const timer = setTimeout(() => reader.cancel().catch(() => {}), maxMilliseconds);
  try {
    for (let size = 0; size <= maxBytes;) {
      const { value, done } = await reader.read();
      if (done) return;
      size += value.length;
    }
    await reader.cancel();
  } catch {
    // The client has left: nothing follows.
  } finally {
    clearTimeout(timer);
  }
}
