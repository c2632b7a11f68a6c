import * as z from "zod/mini";
import { errors } from "../../base/errors.ts";
import { createWorkBudget } from "../../core/work_budget.ts";
import type { Handler } from "../../http/app_env.ts";
import { drainBody, usualDrain } from "../../http/drain_body.ts";
import { readJsonBody } from "../../http/read_input.ts";
import { readLink } from "../mail/link_token.ts";
import type { MailerServices } from "./deliver_mails.ts";
import { ConfirmBody } from "./schemas.ts";
import { createSweeper } from "./sweeper.ts";
import * as store from "./store.ts";

/**
 * `POST /mailer`. It replies immediately: callers do not wait for the work. Created once per isolate; `spent` is the
 * time that the isolate has worked so far, in milliseconds.
 */
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
    await store.unsubscribe(database, link);
    return c.json({ message: "Unsubscribed successfully" });
  };
}

/** `GET /mailer/unsubscribe?token=`: leads people to the settings of their mails. It changes nothing. */
export function createOpenUnsubscribe({ secretKeys, deskUrl, pageUrl }: MailerServices): Handler {
  return async (c) => {
    const link = await readLink(secretKeys, c.req.query("token") ?? "", new Date());
    if (link === null || link.kind === "confirm") throw errors.linkNotValid();
    const page = link.kind === "answered" ? pageUrl : deskUrl && `${deskUrl}#team/notices`;
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
    if (link?.kind !== "confirm" || !await store.confirmAddress(database, link.id)) throw errors.linkNotValid();
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
