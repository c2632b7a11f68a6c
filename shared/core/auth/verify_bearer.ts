import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import type { JsonWebKeySet } from "../../infra/env.ts";
import { ApiError, errors } from "../../infra/errors.ts";
import { countCharacters, isStorableText, stripInvisible } from "../../libs/base/text.ts";
import {
  createOwnIssuer,
  type OwnIssuer,
  type TokenIssuer,
  type VerifiedToken,
  type VerifyBearer,
} from "./bearer_verifier.ts";

/** The keys that tokens are verified with, and who issues them; see `Env`. */
export type BearerKeys = {
  supabaseUrl: string;
  publishableKeys: string[];
  jwks: JsonWebKeySet | null;
  jwtSecret: string | null;
  jwtIssuer: string | null;
};

type Jose = typeof import("jose");

/** The algorithms that an application's own login may sign with: no shared secrets, and only what the runtime knows. */
const issuerAlgorithms = [
  "ES256",
  "ES384",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "EdDSA",
  "Ed25519",
];

/** Seconds that the clock of an issuer may be ahead: a token of the next minute is valid now. */
const clockTolerance = 60;

/** The longest id of a user that is stored. */
const maxUserId = 255;

/**
 * Verifies tokens locally. The key decides the algorithm, so that no token can choose: a key of the set verifies ES256 or
 * RS256, depending on its type, the shared secret only HS256. A token must name the project as its issuer and
 * `authenticated` as its audience, as those of all users do; the keys of apps (`anon`, `service_role`) name neither.
 *
 * A token that names another issuer is verified with the keys of that one, if the account has agreed to it. It may only
 * use asymmetric algorithms, and must name the audience agreed on.
 *
 * @param timeout milliseconds for fetching a published key set
 */
export function createBearerVerifier(
  keys: BearerKeys,
  timeout: number = 5_000,
  ownIssuer: OwnIssuer = createOwnIssuer(keys, timeout),
): VerifyBearer {
  const publishable = new Set(keys.publishableKeys);
  const secret = keys.jwtSecret === null ? null : new TextEncoder().encode(keys.jwtSecret);
  const isOwnIssuer = createIssuerCheck(keys, ownIssuer);
  /** The names under which the project issues tokens, as far as they are known. */
  const ownIssuers = new Set<unknown>([undefined, "", ownIssuer.usual]);
  const issuerKeys = createIssuerKeys(timeout);
  let keySet: JWTVerifyGetKey | undefined;

  async function verifyOwn(jose: Jose, token: string, isSymmetric: boolean): Promise<VerifiedToken> {
    keySet ??= createKeySet(jose, keys, timeout);
    const claims = { requiredClaims: ["exp", "sub"], audience: "authenticated", clockTolerance };
    if (isSymmetric && secret === null) throw errors.invalidAccessToken();
    const { payload } = isSymmetric && secret !== null
      ? await jose.jwtVerify(token, secret, { algorithms: ["HS256"], ...claims })
      : await jose.jwtVerify(token, keySet, { algorithms: ["ES256", "RS256"], ...claims });
    if (hasExpired(payload) || payload.role !== "authenticated" || !payload.sub) throw errors.invalidAccessToken();
    // Asked last, since only here the token is known to be signed by the project.
    if (!await isOwnIssuer(payload.iss)) throw errors.invalidAccessToken();
    ownIssuers.add(payload.iss);
    return {
      user: { id: payload.sub, isAnonymous: payload.is_anonymous === true, ...readPerson(payload) },
      isOfApp: (payload.client_id ?? "") !== "",
    };
  }

  async function verifyOther(jose: Jose, token: string, agreed: TokenIssuer): Promise<VerifiedToken> {
    const { name, issuer, jwksUrl, audience } = agreed;
    const claims = { issuer, audience, requiredClaims: ["exp", "sub"], clockTolerance };
    const { payload } = await verifyWithAny(jose, token, issuerKeys(jose, jwksUrl), {
      algorithms: issuerAlgorithms,
      ...claims,
    });
    const { sub } = payload;
    const userId = `${name}:${sub}`;
    const isUser = typeof sub === "string" && sub.trim() !== "";
    if (hasExpired(payload) || !isUser || countCharacters(userId) > maxUserId || !isStorableText(userId)) {
      throw errors.invalidAccessToken();
    }
    // Its tokens may name the app that has asked for them, as RFC 9068 has it: the audience says whom they are for.
    return { user: { id: userId, isAnonymous: false, ...readPerson(payload) }, isOfApp: false };
  }

  return async (token, findIssuers) => {
    if (publishable.has(token)) return null;
    // Loaded with the first token: other requests start without it.
    const jose = await import("jose");
    const { isSymmetric, iss } = readToken(jose, token);
    try {
      const issuers = isSymmetric || ownIssuers.has(iss) ? [] : await findIssuers();
      const agreed = issuers.find(({ issuer }) => issuer === iss);
      const isOther = agreed !== undefined && !await isOwnIssuer(iss);
      return isOther ? await verifyOther(jose, token, agreed) : await verifyOwn(jose, token, isSymmetric);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // All other errors are about fetching the issuers, their keys, or those of the project.
      const isAboutToken = error instanceof jose.errors.JOSEError &&
        !["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"].includes(error.code);
      throw isAboutToken ? errors.invalidAccessToken(error) : errors.unavailable(error);
    }
  };
}

/** The name and the address of a user in the claims of their token. Auth keeps the name where users may change it. */
function readPerson({ name, email, email_verified, user_metadata }: JWTPayload) {
  const told = (typeof user_metadata === "object" ? user_metadata : null) as Record<string, unknown> | null;
  const line = (value: unknown) => {
    const shown = typeof value === "string"
      ? stripInvisible(value).toWellFormed().replace(/[\s\p{Cc}]+/gu, " ").trim()
      : "";
    return shown === "" || countCharacters(shown) > 254 ? null : shown;
  };
  return {
    name: line(name) ?? line(told?.full_name) ?? line(told?.name),
    email: email_verified === false ? null : line(email),
  };
}

/** jose would also accept a token for as long after its end as before its beginning. */
function hasExpired({ exp = 0 }: JWTPayload): boolean {
  return exp * 1_000 <= Date.now();
}

/** Verifies a token. Without the ID of its key, any of the keys of the issuer may have signed it. */
async function verifyWithAny(jose: Jose, token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return await jose.jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jose.jwtVerify(token, key, options);
      } catch (failure) {
        if (!(failure instanceof jose.errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }
}

/** Tells whether the project issues tokens under a name. */
function createIssuerCheck(
  { jwtIssuer }: BearerKeys,
  { usual, ask }: OwnIssuer,
): (issuer: string | undefined) => Promise<boolean> {
  return async (issuer) => {
    if (issuer === usual) return true;
    if (jwtIssuer !== null) return false;
    // An Auth without a name says "", and its tokens name nobody.
    return (issuer ?? "") === await ask();
  };
}

/**
 * The keys of the environment are as old as the deployment. Newer signing keys are in the set that the project publishes.
 * jose keeps that set and fetches it again after 30 s at the earliest, so that invented key ids cost no requests.
 */
function createKeySet(jose: Jose, { supabaseUrl, jwks }: BearerKeys, timeout: number): JWTVerifyGetKey {
  const published = jose.createRemoteJWKSet(new URL(`${supabaseUrl}/auth/v1/.well-known/jwks.json`), {
    timeoutDuration: timeout,
    [jose.customFetch]: fetchKeys,
  });
  if (jwks === null) return published;
  const deployed = jose.createLocalJWKSet(jwks);
  return async (header, token) => {
    try {
      return await deployed(header, token);
    } catch (error) {
      if (error instanceof jose.errors.JWKSNoMatchingKey) return await published(header, token);
      throw error;
    }
  };
}

/** The claims of a token, which nothing vouches for yet. */
function readToken(jose: Jose, token: string) {
  try {
    return { isSymmetric: jose.decodeProtectedHeader(token).alg === "HS256", iss: jose.decodeJwt(token).iss };
  } catch (error) {
    throw errors.invalidAccessToken(error);
  }
}

/** A key that was taken away is refused after this time, in milliseconds. */
const maxAge = 60_000;
/** After a fetch, unknown keys cause no other for this time, in milliseconds. */
const cooldown = 30_000;
/** After a failure an issuer is left alone for this time, in milliseconds: forged tokens must keep nobody busy. */
const pause = 2_000;
const maxBytes = 256 * 1024;
const maxAddresses = 100;

/** The keys of token issuers, by the address where they are published. */
type IssuerKeys = (jose: Jose, jwksUrl: string) => JWTVerifyGetKey;

/**
 * Fetches the keys of issuers when they are needed, and keeps those of the last hundred addresses. A redirect is an error:
 * operators have agreed to the address alone.
 *
 * @param timeout milliseconds for fetching a key set
 */
function createIssuerKeys(timeout: number): IssuerKeys {
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
async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
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
