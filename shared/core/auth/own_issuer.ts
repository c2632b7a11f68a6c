import { fieldsOf } from "../../libs/base/fields_of.ts";

/** The settings that the name depends on; see `Env`. */
export type OwnIssuerKeys = { supabaseUrl: string; publishableKeys: string[]; jwtIssuer: string | null };

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
