import type { MailServer } from "../../../shared/libs/mail/send_mail.ts";
import { CommandError } from "../command_error.ts";
import { dashboard, done, open, type SetUpItem, type SetUpOptions, type Tick, unwanted } from "./set_up.ts";
import { z } from "zod";

type Wish = {
  name: string;
  /** Its page of the dashboard, below the project. */
  page: string;
  /** False: not wanted. A text says what to answer or do first. */
  wanted: false | string | AuthSettings;
  /** A setting of Auth in words; null when it lacks it. */
  has: (settings: AuthSettings) => string | null;
  /** Why Auth is left as it is although it lacks it. */
  keeps?: (settings: AuthSettings) => string | null;
};

/** The settings that Auth needs, each with its page of the dashboard. */
export function listAuthItems(options: SetUpOptions): SetUpItem[] {
  const { answers, mail, management, settings: { projectRef }, signal } = options;
  const settle = (change?: AuthSettings) => settleAuth({ ...management, projectRef, signal }, change);
  // Read once, as one of them tells why it cannot be read.
  let reading: Promise<AuthSettings> | undefined;
  return listWishes(answers, mail).map(({ name, page, wanted, has, keeps }): SetUpItem => ({
    name,
    async take(): Promise<Tick> {
      const link = dashboard(options, page);
      if (wanted === false) return unwanted();
      if (!management.accessToken) {
        return open("not looked at without SUPABASE_ACCESS_TOKEN. Set it, or look yourself", link);
      }
      const settings = await (reading ??= settle());
      const found = has(settings);
      if (found !== null) return done(found);
      if (typeof wanted === "string") return open(wanted, link);
      const kept = keeps?.(settings) ?? null;
      if (kept !== null) return open(kept, link);
      // What is added to a list is added to the one that Auth has.
      const list = [settings.uri_allow_list, wanted.uri_allow_list].filter(Boolean).join(",");
      const changed = await settle("uri_allow_list" in wanted ? { uri_allow_list: list } : wanted);
      reading = Promise.resolve(changed);
      const made = has(changed);
      if (made === null) throw new CommandError(`Auth has not taken the change. Make it at ${link}`);
      return done(made);
    },
  }));
}

function listWishes(answers: SetUpOptions["answers"], mail: MailServer | null): Wish[] {
  const { pages, anonymousVisitors, aiClients } = answers;
  const site = pages ? pages.slice(0, -1) : "";
  const withSlash = (text: string | null | undefined) => `${(text ?? "").replace(/\/+$/, "")}/`;
  return [
    {
      name: "Visitors without an account",
      page: "auth/providers",
      wanted: anonymousVisitors === undefined
        ? "answer anonymousVisitors. They need anonymous sign-in; read supabase/docs/browsers.md first"
        : anonymousVisitors && { external_anonymous_users_enabled: true },
      has: (auth) => auth.external_anonymous_users_enabled ? "anonymous sign-in is on" : null,
    },
    {
      name: "Site URL",
      page: "auth/url-configuration",
      wanted: pages === undefined
        ? "answer pages: links of Auth's mails lead to the Site URL"
        : pages && { site_url: site },
      has: (auth) => withSlash(auth.site_url) === pages ? `is ${auth.site_url}` : null,
      keeps: ({ site_url }) =>
        !site_url || /^https?:\/\/(localhost|127\.0\.0\.1)\b/.test(site_url)
          ? null
          : `is ${site_url}, which may be of another application. Change it to ${site} if the pages are all there is`,
    },
    {
      name: "Redirect addresses",
      page: "auth/url-configuration",
      wanted: pages === undefined
        ? "answer pages: sign-up leads back to them"
        : pages && { uri_allow_list: `${pages}**` },
      has: ({ uri_allow_list }) =>
        (uri_allow_list ?? "").split(",").some((entry) => entry.trim() === `${pages}**`) ? `has ${pages}**` : null,
    },
    {
      name: "Mail of Auth",
      page: "auth/smtp",
      wanted: answers.mail === false
        ? false
        : answers.mail && mail !== null
        ? describeMailServer(mail)
        : "Auth's own sender only reaches members of your organisation. Answer mail with SMTP_URL and MAIL_FROM in the " +
          "file with the secrets, or set up a server there (supabase/docs/deploying.md#mail-of-auth)",
      has: (auth) => auth.smtp_host ? `goes through ${auth.smtp_host}` : null,
    },
    {
      name: "AI clients",
      page: "auth/oauth-server",
      wanted: aiClients === undefined
        ? "answer aiClients. They need the authorization server; see supabase/docs/ai_clients.md"
        : aiClients && {
          oauth_server_enabled: true,
          oauth_server_allow_dynamic_registration: true,
          oauth_server_authorization_path: "/oauth/consent/",
        },
      has: (auth) =>
        auth.oauth_server_enabled && auth.oauth_server_authorization_path === "/oauth/consent/"
          ? "the authorization server is on"
          : null,
      keeps: (auth) =>
        auth.oauth_server_enabled && auth.oauth_server_authorization_path
          ? `the authorization path is ${auth.oauth_server_authorization_path}, and that of the pages is /oauth/consent/`
          : null,
    },
  ];
}

function describeMailServer({ host, port, user, password, from }: MailServer): AuthSettings {
  return {
    smtp_host: host,
    smtp_port: String(port),
    smtp_user: user,
    smtp_pass: password,
    smtp_admin_email: from.address,
    smtp_sender_name: from.name || from.address,
  };
}

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
type AuthSettings = z.output<typeof AuthSettings>;

const patience = 20_000;

/** A project's Auth settings, read or changed by the Management API. @throws {CommandError} that says why not */
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
