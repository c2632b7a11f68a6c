import { z } from "zod";

const oauthClient = z.object({
  id: z.string(),
  /** Null for a public client, which has no secret. */
  secretDigest: z.string().nullable(),
  authMethod: z.enum(["none", "client_secret_basic", "client_secret_post"]),
  name: z.string(),
  uri: z.string(),
  logoUri: z.string(),
  redirectUris: z.array(z.string()),
  grantTypes: z.array(z.string()),
  createdAt: z.string(),
});
/** A registered app. */
export type OAuthClient = z.output<typeof oauthClient>;

const authorization = z.object({
  id: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  scope: z.string(),
  state: z.string(),
  resource: z.string(),
  codeChallenge: z.string(),
  codeChallengeMethod: z.enum(["s256", "plain"]),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** Null until a user has opened the consent page. */
  userId: z.string().nullable(),
  status: z.enum(["pending", "approved", "denied"]),
  /** Null until the user has approved. */
  code: z.string().nullable(),
});
/** A request for access, until its code is used. */
export type Authorization = z.output<typeof authorization>;

const consent = z.object({
  userId: z.string(),
  clientId: z.string(),
  scopes: z.array(z.string()),
  grantedAt: z.string(),
});
/** A user's approval of an app, until it is revoked. */
export type Consent = z.output<typeof consent>;

const oauthSession = z.object({
  id: z.string(),
  userId: z.string(),
  clientId: z.string(),
  scope: z.string(),
  /** Seconds since 1970 at which the user has approved. */
  startedAt: z.number(),
  /** The refresh token that is valid, and those before it, oldest first. */
  refreshTokens: z.array(z.string()),
  /** Milliseconds since 1970. */
  refreshedAt: z.number(),
});
/** The access of an app to a user's account, until it is revoked. */
export type OAuthSession = z.output<typeof oauthSession>;

const oauthData = z.object({
  clients: z.array(oauthClient),
  authorizations: z.array(authorization),
  consents: z.array(consent),
  sessions: z.array(oauthSession),
});

/** Everything that the authorization server remembers. */
export type OAuthStore = z.output<typeof oauthData> & {
  /** Call it after each change. */
  save: () => Promise<void>;
};

/** A store in a file, so that apps stay connected when the stack is restarted. */
export async function openOAuthStore(file: string): Promise<OAuthStore> {
  const data = await readData(file);
  let saving: Promise<void> = Promise.resolve();
  async function write() {
    // Renamed into place, so that a process killed here leaves the old file or the new one.
    await Deno.writeTextFile(`${file}.new`, JSON.stringify(oauthData.parse(data), null, 2), { mode: 0o600 });
    await Deno.rename(`${file}.new`, file);
  }
  return Object.assign(data, { save: () => saving = saving.catch(() => {}).then(write) });
}

/** A store that is gone with the process. */
export function createOAuthStore(): OAuthStore {
  return { clients: [], authorizations: [], consents: [], sessions: [], save: () => Promise.resolve() };
}

async function readData(file: string): Promise<z.output<typeof oauthData>> {
  try {
    return oauthData.parse(JSON.parse(await Deno.readTextFile(file)));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { clients: [], authorizations: [], consents: [], sessions: [] };
  }
}
