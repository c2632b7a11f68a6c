import { fieldsOf } from "../../libs/base/fields_of.ts";

// Apart from verify_bearer.ts: a deployment uploads the packages of whatever names these types, and jose is large.

/** An issuer of tokens for the users of an account, besides the project's own Auth. */
export type TokenIssuer = {
  /** The prefix of its users' ids, before a colon. */
  name: string;
  /** `iss` of its tokens. */
  issuer: string;
  /** The address of its public keys. */
  jwksUrl: string;
  /** The audience that its tokens must name. */
  audience: string;
};

/** The user whom a token signs in. */
export type SignedInUser = {
  id: string;
  /** True for a visitor whom the project's Auth knows by nothing but this session's tokens. */
  isAnonymous: boolean;
  /** The name and address of the user, as far as the token says them. */
  name: string | null;
  email: string | null;
};

/** A valid token. */
export type VerifiedToken = {
  user: SignedInUser;
  /** True if Auth issued the token to an app that the user allowed in, by OAuth. It names the app as `client_id`. */
  isOfApp: boolean;
};

/**
 * Verifies a bearer token; null when the token is only the project's publishable key.
 *
 * @param findIssuers the issuers of the account that is called; only asked for where the project has not issued the token
 * @throws 401 when it is not a valid, unexpired token that the project or such an issuer has issued to a user; 503 when the
 * issuers, their keys, or the name under which the project issues tokens cannot be fetched.
 */
export type VerifyBearer = (token: string, findIssuers: () => Promise<TokenIssuer[]>) => Promise<VerifiedToken | null>;

/** The settings that the name depends on; see `Env`. */
type OwnIssuerKeys = { supabaseUrl: string; publishableKeys: string[]; jwtIssuer: string | null };

/** The name under which the project's Auth issues tokens, which is also its address for clients. */
export type OwnIssuer = {
  /** That of the settings, or else the usual one: the project's address, followed by `/auth/v1`. */
  usual: string;
  /**
   * Asks Auth, once. Where functions reach the project by another address than its clients do (`http://kong:8000`), only
   * Auth knows the name. "" or undefined: it has none.
   *
   * @throws {Error} when Auth does not answer
   */
  ask: () => Promise<unknown>;
  /** The name for clients. @throws as `ask` does. */
  find: () => Promise<string>;
};

/** @param timeout milliseconds for asking Auth */
export function createOwnIssuer(
  { supabaseUrl, publishableKeys: [apikey], jwtIssuer }: OwnIssuerKeys,
  timeout: number,
): OwnIssuer {
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

  async function ask(): Promise<unknown> {
    published ??= fetchIssuer();
    try {
      return await published;
    } catch (error) {
      published = undefined;
      throw error;
    }
  }

  async function find(): Promise<string> {
    const issuer = jwtIssuer ?? await ask();
    return typeof issuer === "string" && issuer !== "" ? issuer : usual;
  }
  return { usual, ask, find };
}
