import type { JWTVerifyGetKey } from "jose";
import type { JsonWebKeySet } from "../env.ts";
import { ApiError, errors } from "../errors.ts";
import { fieldsOf } from "../fields_of.ts";
import type { VerifyBearer } from "./bearer_verifier.ts";

/** The keys that tokens are verified with, and who issues them; see `Env`. */
export type BearerKeys = {
  supabaseUrl: string;
  publishableKeys: string[];
  jwks: JsonWebKeySet | null;
  jwtSecret: string | null;
  jwtIssuer: string | null;
};

type Jose = typeof import("jose");

/**
 * Verifies tokens locally. The key decides the algorithm, so that no token can choose: a key of the set verifies ES256 or
 * RS256, depending on its type, the shared secret only HS256. A token must name the project as its issuer and
 * `authenticated` as its audience, as those of all users do; the keys of apps (`anon`, `service_role`) name neither.
 *
 * @param timeout milliseconds for fetching the published key set, or the issuer
 */
export function createBearerVerifier(keys: BearerKeys, timeout: number = 5_000): VerifyBearer {
  const publishable = new Set(keys.publishableKeys);
  const secret = keys.jwtSecret === null ? null : new TextEncoder().encode(keys.jwtSecret);
  const isOwnIssuer = createIssuerCheck(keys, timeout);
  let keySet: JWTVerifyGetKey | undefined;

  return async (token) => {
    if (publishable.has(token)) return null;
    // Loaded with the first token: other requests start without it.
    const jose = await import("jose");
    keySet ??= createKeySet(jose, keys, timeout);
    const claims = { requiredClaims: ["exp", "sub"], audience: "authenticated" };
    const isSymmetric = readAlgorithm(jose, token) === "HS256";
    if (isSymmetric && secret === null) throw errors.invalidAccessToken();
    try {
      const { payload } = isSymmetric && secret !== null
        ? await jose.jwtVerify(token, secret, { algorithms: ["HS256"], ...claims })
        : await jose.jwtVerify(token, keySet, { algorithms: ["ES256", "RS256"], ...claims });
      if (payload.role !== "authenticated" || !payload.sub) throw errors.invalidAccessToken();
      // Asked last, since only here the token is known to be signed by the project.
      if (!await isOwnIssuer(payload.iss)) throw errors.invalidAccessToken();
      return payload.sub;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // All other errors are about fetching the keys or the issuer.
      const isAboutToken = error instanceof jose.errors.JOSEError &&
        !["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"].includes(error.code);
      throw isAboutToken ? errors.invalidAccessToken(error) : errors.unavailable(error);
    }
  };
}

/**
 * Tells whether the project issues tokens under a name. That is its address followed by `/auth/v1`. Where functions reach
 * the project by another address than its clients do (`http://kong:8000`), Auth knows the name, and is asked once.
 */
function createIssuerCheck(
  { supabaseUrl, publishableKeys: [apikey], jwtIssuer }: BearerKeys,
  timeout: number,
): (issuer: string | undefined) => Promise<boolean> {
  const usual = jwtIssuer ?? `${supabaseUrl}/auth/v1`;
  let published: Promise<unknown> | undefined;

  async function fetchIssuer(): Promise<unknown> {
    const response = await fetch(`${supabaseUrl}/auth/v1/.well-known/openid-configuration`, {
      headers: apikey === undefined ? {} : { apikey },
      signal: AbortSignal.timeout(timeout),
    });
    if (response.ok) return fieldsOf(await response.json()).issuer;
    await response.body?.cancel();
    // An older Auth does not tell it.
    if (response.status === 404) return undefined;
    throw new Error(`Auth answers with ${response.status} when asked for its issuer`);
  }

  return async (issuer) => {
    if (issuer === usual) return true;
    if (jwtIssuer !== null) return false;
    published ??= fetchIssuer();
    try {
      // An Auth without a name says "", and its tokens name nobody.
      return (issuer ?? "") === await published;
    } catch (error) {
      published = undefined;
      throw error;
    }
  };
}

/**
 * The keys of the environment are as old as the deployment. Newer signing keys are in the set that the project publishes.
 * jose keeps that set and fetches it again after 30 s at the earliest, so that invented key ids cost no requests.
 */
function createKeySet(jose: Jose, { supabaseUrl, jwks }: BearerKeys, timeout: number): JWTVerifyGetKey {
  const published = jose.createRemoteJWKSet(new URL(`${supabaseUrl}/auth/v1/.well-known/jwks.json`), {
    timeoutDuration: timeout,
    async [jose.customFetch](url, init) {
      const response = await fetch(url, init);
      // jose does not read the body of a refusal, which leaves the connection open.
      if (response.status !== 200) await response.body?.cancel();
      return response;
    },
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

function readAlgorithm(jose: Jose, token: string): string | undefined {
  try {
    return jose.decodeProtectedHeader(token).alg;
  } catch (error) {
    throw errors.invalidAccessToken(error);
  }
}
