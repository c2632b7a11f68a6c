import { z } from "zod";
import { CommandError } from "../command_error.ts";

const AuthSettings = z.object({
  external_anonymous_users_enabled: z.boolean().nullish(),
  site_url: z.string().nullish(),
  uri_allow_list: z.string().nullish(),
  smtp_host: z.string().nullish(),
  smtp_port: z.string().nullish(),
  smtp_user: z.string().nullish(),
  smtp_pass: z.string().nullish(),
  smtp_admin_email: z.string().nullish(),
  smtp_sender_name: z.string().nullish(),
  oauth_server_enabled: z.boolean().nullish(),
  oauth_server_allow_dynamic_registration: z.boolean().nullish(),
  oauth_server_authorization_path: z.string().nullish(),
});

/** The settings of a project's Auth that the set-up reads or changes, in the words of the Management API. */
export type AuthSettings = z.output<typeof AuthSettings>;

const patience = 20_000;

/**
 * The settings of a project's Auth, read or, with `change`, changed, by the Management API.
 *
 * @throws {CommandError} that says why this is not possible.
 */
export async function settleAuth(
  { api, accessToken, projectRef, signal }: {
    api: string;
    accessToken: string | undefined;
    projectRef: string;
    signal: AbortSignal;
  },
  change?: AuthSettings,
): Promise<AuthSettings> {
  if (!accessToken) throw new CommandError("Auth's settings are not read without SUPABASE_ACCESS_TOKEN.");
  let response: Response;
  try {
    response = await fetch(`${api}/v1/projects/${projectRef}/config/auth`, {
      method: change === undefined ? "GET" : "PATCH",
      headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
      body: change === undefined ? null : JSON.stringify(change),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
    if (response.ok) return AuthSettings.parse(await response.json());
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof z.ZodError) throw new CommandError("The Management API describes Auth in an unknown form.");
    throw new CommandError("The Management API cannot be reached.");
  }
  const reason = z.object({ message: z.string() }).safeParse(await response.json().catch(() => null)).data?.message;
  throw new CommandError(
    response.status === 401 || response.status === 403
      ? `The access token may not ${change === undefined ? "read" : "change"} Auth's settings (${response.status}).`
      : `The Management API replied ${response.status}${reason === undefined ? "" : `: ${reason}`}.`,
  );
}
