import type { JWTVerifyGetKey } from "jose";

type Jose = typeof import("jose");

/** A key that was taken away is refused after this time, in milliseconds. */
const maxAge = 60_000;
/** After a fetch, unknown keys cause no other for this time, in milliseconds. */
const cooldown = 30_000;
/**
 * After a failure an issuer is left alone for this time, in milliseconds: forged tokens must not keep it, and us, busy.
 */
const pause = 2_000;
const maxBytes = 256 * 1024;
const maxAddresses = 100;

/** The keys of token issuers, by the address where they are published. */
export type IssuerKeys = (jose: Jose, jwksUrl: string) => JWTVerifyGetKey;

/**
 * Fetches the keys of issuers when they are needed, and keeps those of the last hundred addresses. A redirect is an error:
 * operators have agreed to the address alone.
 *
 * @param timeout milliseconds for fetching a key set
 */
export function createIssuerKeys(timeout: number): IssuerKeys {
  const kept = new Map<string, JWTVerifyGetKey>();
  return (jose, jwksUrl) => {
    const keys = kept.get(jwksUrl) ?? jose.createRemoteJWKSet(new URL(jwksUrl), {
      timeoutDuration: timeout,
      cooldownDuration: cooldown,
      cacheMaxAge: maxAge,
      [jose.customFetch]: pauseAfterFailure(fetchKeys),
    });
    // The one used longest ago comes first.
    kept.delete(jwksUrl);
    const [oldest] = kept.size < maxAddresses ? [] : kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(jwksUrl, keys);
    return keys;
  };
}

type FetchKeys = (url: string, init: RequestInit) => Promise<Response>;

/** Keys that were fetched before are used meanwhile. */
function pauseAfterFailure(fetchKeys: FetchKeys): FetchKeys {
  let failedAt = -Infinity;
  return async (url, init) => {
    if (Date.now() < failedAt + pause) throw new Error("The keys could not be fetched a moment ago");
    let isFetched = false;
    try {
      const response = await fetchKeys(url, init);
      isFetched = response.status === 200;
      return response;
    } finally {
      if (!isFetched) failedAt = Date.now();
    }
  };
}

/** Fetches a key set for jose, which reads the body of a 200 only, however long it is, and leaves the others open. */
export async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status !== 200) await response.body?.cancel();
  if (response.status !== 200 || response.body === null) return response;
  // The signal also here: the one of `fetch` is forgotten once the response is collected as garbage.
  return new Response(response.body.pipeThrough(limitBytes(maxBytes), { signal: init.signal ?? undefined }));
}

function limitBytes(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > most) controller.error(new Error(`A key set is larger than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
