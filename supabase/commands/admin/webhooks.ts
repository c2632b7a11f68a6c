import { z } from "zod";
import { AddressRefused, requirePublicAddress } from "../../../shared/libs/web/public_address.ts";
import { refuse } from "../command_error.ts";
import { anAccount, defineCommand, flag, option, text } from "./command.ts";
import { formatFields, formatTime } from "./terminal_text.ts";

const webhook = z.object({
  account_id: z.string(),
  url: z.string(),
  /** Only set if it is new. */
  secret: z.string().optional(),
  is_active: z.boolean(),
  waiting: z.number(),
  failing_since: z.string().nullable(),
  last_error: z.string().nullable(),
  last_delivered_at: z.string().nullable(),
  created_at: z.string(),
});

function formatWebhook(data: unknown): string {
  const { account_id, is_active, last_delivered_at, failing_since, last_error, created_at, url, secret, waiting } =
    webhook.parse(data);
  return formatFields({
    url,
    secret,
    state: is_active ? failing_since === null ? "active" : "failing" : "switched off by its receiver (410)",
    waiting,
    "last delivered": formatTime(last_delivered_at),
    "failing since": formatTime(failing_since),
    "last error": last_error,
    created: formatTime(created_at),
    account: account_id,
  });
}
const queued = z.object({ id: z.string() });

/** `npm run admin -- webhook …` */
export const webhookCommands = {
  set: defineCommand({
    about:
      `Sends the account's events that an expert should know about to URL: see supabase/docs/webhooks.md. An account has
      one webhook. Setting it again changes its address and reactivates it, but keeps its secret.`,
    options: {
      account: anAccount,
      url: option("URL", text, "the address that is told"),
      rotate: flag("make a new secret; the old one is no longer used"),
      private: flag(
        `the address may be in a private network and start with http://. The functions send to it only if
        WEBHOOK_ALLOW_PRIVATE_ADDRESSES is true`,
      ),
    },
    typed: { url: "--url" },
    isChange: true,
    async run({ account, url, rotate, private: allowsPrivate }, { project, note }) {
      try {
        await requirePublicAddress(url.trim(), { allowsPrivate });
      } catch (error) {
        if (!(error instanceof AddressRefused)) throw error;
        refuse(`webhook set: --url is not allowed. ${error.message}.`);
      }
      const { data } = await project().client.rpc("set_webhook", {
        account_id: account,
        url: url.trim(),
        is_rotated: rotate,
      }).throwOnError();
      if (typeof data === "object" && data !== null && "secret" in data) {
        note("Store the secret now: it is shown only once. Receivers use it to verify messages.");
      }
      return { json: data, text: formatWebhook(data) };
    },
  }),

  show: defineCommand({
    about: "Shows the webhook of an account, and whether its receiver answers.",
    options: { account: anAccount },
    async run({ account }, { project }) {
      const { data } = await project().client.rpc("read_webhook", { account_id: account }).throwOnError();
      return { json: data, text: formatWebhook(data) };
    },
  }),

  test: defineCommand({
    about: "Sends a message to the webhook.",
    options: { account: anAccount },
    isChange: true,
    async run({ account }, { project, note }) {
      const { data } = await project().client.rpc("test_webhook", { account_id: account }).throwOnError();
      note("A message of the type webhook.test will be sent within a minute. webhook show displays the result.");
      return { json: data, text: formatFields({ "webhook-id": queued.parse(data).id }) };
    },
  }),

  remove: defineCommand({
    about: "Removes the webhook of an account.",
    options: { account: anAccount },
    isChange: true,
    async run({ account }, { project }) {
      const { data } = await project().client.rpc("remove_webhook", { account_id: account }).throwOnError();
      return { json: data, text: formatWebhook(data) };
    },
  }),
};
