import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { createWorkBudget } from "../../core/work_budget.ts";
import type { Handler } from "../../http/app_env.ts";
import { drainBody, usualDrain } from "../../http/drain_body.ts";
import { readJsonBody } from "../../http/read_input.ts";
import { sha256Hex } from "../../core/auth/digest.ts";
import { Timestamp } from "../../core/wire/fields.ts";
import { answerTokenForm, readLink } from "../mail/link_token.ts";
import { createSweeper, type MailerServices } from "./deliver_mails.ts";

/** Body of `POST /mailer/confirm`. */
export const ConfirmBody = z.object({
  token: z.string().check(z.maxLength(300), z.describe("The part of the link after `#confirm-email=`")),
});

/** Reply of `GET /mailer/answer`. */
export const MailedAnswer = z.object({
  coach: z.object({ id: z.string(), name: z.string(), picture_url: z.nullable(z.string()) }),
  expert: z.object({ name: z.string(), picture_url: z.nullable(z.string()) }).check(
    z.describe("Whoever has answered: under a name of their own, or that of the coach"),
  ),
  question: z.string(),
  answer: z.string(),
  answered_at: Timestamp,
});

/** `POST /mailer`. Replies before the work. Created once an isolate, which has worked `spent` milliseconds so far. */
export function createPostSweep(services: MailerServices, { spent }: { spent: number }): Handler {
  const sweepOnce = createSweeper(services, createWorkBudget({ limit: services.timeouts.mailing, spent }));
  return (c) => {
    services.waitUntil(sweepOnce(c.var.log));
    return c.json({ message: "Sending has started" }, 202);
  };
}

/** `POST /mailer/unsubscribe?token=`: what mail programs send (RFC 8058). Repeatable. */
export function createUnsubscribe({ database, secretKeys }: MailerServices): Handler {
  return async (c) => {
    await drainBody(c.req.raw, usualDrain);
    const link = await readLink(secretKeys, c.req.query("token") ?? "", new Date());
    if (link === null || link.kind === "confirm") throw errors.linkNotValid();
    await database.call("unsubscribe_mail", { kind: link.kind, subscription_id: link.id }, z.null());
    return c.json({ message: "Unsubscribed successfully" });
  };
}

/** `GET /mailer/unsubscribe?token=`: leads people to the settings of their mails. It changes nothing. */
export function createOpenUnsubscribe({ secretKeys, deskUrl, pageUrl }: MailerServices): Handler {
  return async (c) => {
    const token = c.req.query("token") ?? "";
    const link = await readLink(secretKeys, token, new Date());
    if (link === null || link.kind === "confirm") throw errors.linkNotValid();
    const page = link.kind === "not_me"
      ? pageUrl && `${pageUrl}#not-me=${encodeURIComponent(token)}`
      : link.kind === "answered"
      ? pageUrl
      : deskUrl && `${deskUrl}#team/notices`;
    if (page === null) throw errors.notFound();
    return c.redirect(page, 303);
  };
}

const maxBytes = 4 * 1024;

/** `POST /mailer/confirm`: confirms an address. Repeatable, as long as the token is valid. */
export function createConfirm({ database, secretKeys }: MailerServices): Handler {
  return async (c) => {
    const body = z.safeParse(ConfirmBody, await readJsonBody(c.req.raw, maxBytes));
    if (!body.success) throw errors.linkNotValid();
    const link = await readLink(secretKeys, body.data.token, new Date());
    if (link?.kind !== "confirm") throw errors.linkNotValid();
    // False: the address was replaced or deleted.
    const isConfirmed = await database.call("confirm_mail", { subscription_id: link.id }, z.boolean());
    if (!isConfirmed) throw errors.linkNotValid();
    return c.json({ message: "Email address confirmed successfully" });
  };
}

/** `GET /mailer/confirm?token=`: leads people to the chat page, which confirms the address. It changes nothing. */
export function createOpenConfirm({ pageUrl }: MailerServices): Handler {
  return (c) => {
    if (pageUrl === null) throw errors.notFound();
    return c.redirect(`${pageUrl}#confirm-email=${encodeURIComponent(c.req.query("token") ?? "")}`, 303);
  };
}

/** `GET /mailer/answer?token=`: what the link in a mail opens. It may be opened as often as wanted, and changes nothing. */
export function createReadAnswer({ database, picturesUrl }: MailerServices): Handler {
  return async (c) => {
    c.header("Referrer-Policy", "no-referrer");
    const token = c.req.query("token") ?? "";
    if (!answerTokenForm.test(token)) throw errors.notFound();
    const args = { digest: await sha256Hex(token), pictures_url: picturesUrl };
    const answer = await database.call("read_mailed_answer", args, z.nullable(MailedAnswer));
    if (answer === null) throw errors.notFound();
    return c.json(answer);
  };
}
