import * as z from "zod/mini";
import { pooledMap } from "../../libs/base/std/async.ts";
import { isMailAddress } from "../../libs/base/text.ts";
import { sha256Hex } from "../../core/auth/digest.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { lazy } from "../../libs/base/lazy.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import type { OutgoingMail, SendMail } from "../../libs/mail/send_mail.ts";
import { type LinkKind, makeAnswerToken, makeInvitationToken, signLink } from "../mail/link_token.ts";
import { type MailContents, takeMails, type TakenMail } from "./take_mails.ts";
import { type Sweeper, sweepOneByOne } from "../../core/sweeps.ts";
import type { WorkBudget } from "../../core/work_budget.ts";

/** The services that the function `mailer` is built from. */
export type MailerServices = Pick<
  CoreServices,
  | "database"
  | "secretKeys"
  | "publicUrl"
  | "picturesUrl"
  | "pageUrl"
  | "deskUrl"
  | "mail"
  | "timeouts"
  | "wakeMailer"
  | "waitUntil"
>;

/** The mails that are claimed at a time, and sent at the same time: mail servers allow few connections. */
const [batch, concurrency] = [9, 3];

const GivenUp = z.array(
  replyObject({ id: z.string(), account_id: z.string(), kind: z.string(), error: z.string() }),
);

/** The time that a link which confirms an address is valid, in milliseconds. */
const confirmationLasts = 2 * 24 * 60 * 60_000;

// Loaded with the first mail that is due.
const loadWriter = lazy(() => import("./write_mail.ts"));

/** Sends due mails, within its limits; failed ones are due again later. Returns true if there may be more. */
async function deliverMails(
  services: MailerServices,
  { sendMail, mayGoOn, charge, log }: {
    sendMail: SendMail;
    mayGoOn: () => boolean;
    /** Counts a mail as work of the isolate. */
    charge: () => void;
    log: Log;
  },
): Promise<boolean> {
  do {
    const taken = await takeMails(services.database, batch);
    if (taken.length === 0) return false;
    let failure: string | null = null;
    const outcomes = pooledMap(concurrency, taken, async (mail: TakenMail) => {
      charge();
      const outcome = failure === null
        ? await deliver(services, mail, sendMail)
        : { error: failure, reply: null, isFinal: false, isOfServer: true };
      if (outcome.isOfServer) failure = outcome.error;
      // One at a time: a mail that was sent is not sent again because another one is slow.
      const { id, claim, address } = mail;
      const { error, reply, isFinal } = outcome;
      const tried = { id, claim, address, error, reply, is_final: isFinal };
      const givenUp = await services.database.call("finish_mails", { outcomes: [tried] }, GivenUp);
      if (error !== null && reply === null) {
        log("warn", "mail_not_sent", { mail_id: id, kind: mail.kind, reason: error });
      }
      for (const { id, accountId, kind, error } of givenUp) {
        log("warn", "mail_given_up", { mail_id: id, account_id: accountId, kind, reason: error });
      }
      return error === null;
    });
    let sent = 0;
    for await (const isSent of outcomes) if (isSent) sent++;
    log("info", "mails_sent", { sent, failed: taken.length - sent });
    // They are due again in half a minute: until then, the server is left alone.
    if (failure !== null) return false;
  } while (mayGoOn());
  return true;
}

/** The outcome of a try: `error` is null if the mail was sent. */
type Outcome = {
  error: string | null;
  /** The code with which the address was refused for good; null: it was not. */
  reply: number | null;
  isFinal: boolean;
  isOfServer: boolean;
};

const lost = (error: string): Outcome => ({ error, reply: null, isFinal: true, isOfServer: false });

async function deliver(services: MailerServices, mail: TakenMail, sendMail: SendMail): Promise<Outcome> {
  if (!isMailAddress(mail.address)) return lost("The address has a form that mails are not sent to");
  const mailOut = await write(services, mail);
  if (typeof mailOut === "string") return lost(mailOut);
  const delivery = await sendMail(mailOut, AbortSignal.timeout(services.timeouts.mail));
  switch (delivery.kind) {
    case "sent":
      return { error: null, reply: null, isFinal: false, isOfServer: false };
    case "refused":
      return { ...lost(`The address was refused with ${delivery.reply}`), reply: delivery.reply };
    case "failed":
      return { error: delivery.reason, reply: null, isFinal: delivery.isFinal, isOfServer: delivery.isOfServer };
  }
}

/** Writes a mail; returns a sentence for operators if it cannot be written. */
async function write(services: MailerServices, mail: TakenMail): Promise<OutgoingMail | string> {
  const { writeMail } = await loadWriter();
  const { deskUrl, pageUrl } = services;
  const isForPage = ["answered", "confirmation", "request_confirmation", "request_answered"].includes(mail.kind);
  const page = isForPage ? pageUrl : deskUrl;
  if (page === null) return `${isForPage ? "PAGE_URL" : "DESK_URL"} is not set, so that the mail has nowhere to lead`;
  const place = await findPlace(services, mail);
  if (place === null) return "What it tells was withdrawn";
  const unsubscribe = await signUnsubscribe(services, mail);
  const settings = isForPage || unsubscribe === null ? null : `${page}#team/notices`;
  const notMe = mail.kind === "confirmation" || mail.kind === "request_confirmation"
    ? `${page}#not-me=${await signLink(services.secretKeys, limited("not_me", mail))}`
    : null;
  const words = writeMail(mail, { action: `${page}#${place}`, settings, unsubscribe, notMe });
  return {
    id: mail.id,
    to: mail.address,
    ...words,
    date: new Date(),
    headers: {
      "Auto-Submitted": "auto-generated",
      // Some mail servers ask for no automatic replies by this one.
      "X-Auto-Response-Suppress": "All",
      "Content-Language": mail.language,
      ...(unsubscribe === null ? {} : {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  };
}

/** The place of the page that a mail leads to; null: there is none any more. */
async function findPlace(
  { database, secretKeys }: MailerServices,
  mail: TakenMail,
): Promise<string | null> {
  switch (mail.kind) {
    case "human":
      return describePlace(mail.content);
    case "digest":
      return "questions";
    case "topics":
      return `usage?from=${mail.content.from}&to=${mail.content.to}`;
    case "failure":
      return "files";
    case "budget":
      return "usage";
    case "answered":
      return mail.content.thread_id;
    case "confirmation":
    case "request_confirmation":
      return `confirm-email=${await signLink(secretKeys, limited("confirm", mail))}`;
    case "request_answered":
    case "invitation": {
      const [name, make] = mail.kind === "invitation"
        ? ["invitation", makeInvitationToken] as const
        : ["answer", makeAnswerToken] as const;
      const token = await make(secretKeys, mail.id);
      return await noteToken(database, mail, token) ? `${name}=${token}` : null;
    }
  }
}

/** Has the token in a mail accept its invitation or open its answer. False: there is none any more. */
async function noteToken(
  database: MailerServices["database"],
  { id, claim }: TakenMail,
  token: string,
): Promise<boolean> {
  return await database.call("note_mail_token", { mail_id: id, claim, digest: await sha256Hex(token) }, z.boolean());
}

/** A link that is about the address of a mail, for a time. */
function limited(kind: LinkKind, { subscriptionId }: TakenMail) {
  return { kind, id: subscriptionId!, expiresAt: new Date(Date.now() + confirmationLasts) };
}

function describePlace({ count, thread_id }: MailContents["human"]): string {
  return count === 1 ? `conversations/${thread_id}` : "conversations";
}

/** The address that unsubscribes from mails like this one; null: it is the only one of its kind. */
async function signUnsubscribe(
  { publicUrl, secretKeys }: MailerServices,
  { kind, subscriptionId }: TakenMail,
): Promise<string | null> {
  if (subscriptionId === null || kind === "confirmation" || kind === "invitation" || kind.startsWith("request_")) {
    return null;
  }
  const link = { kind: kind as LinkKind, id: subscriptionId, expiresAt: null };
  return `${publicUrl}/functions/v1/mailer/unsubscribe?token=${await signLink(secretKeys, link)}`;
}

/** The work of writing a mail and sending it over an encrypted connection, in milliseconds. */
const costOfMail = 25;

/** Creates what sends the mails that are due. Without a mail server, nothing is claimed. */
export function createSweeper(services: MailerServices, budget: WorkBudget): Sweeper {
  const { mail: server, timeouts } = services;
  // The library is loaded when the first mail is sent.
  const loadSender = lazy(async () => (await import("../../libs/mail/smtp.ts")).createSmtpSender(server!));
  const sendMail: SendMail = async (mail, signal) => await (await loadSender())(mail, signal);

  async function sweep(at: number, log: Log): Promise<void> {
    if (server === null) return;
    const endsAt = at + timeouts.mailSweep;
    const mayGoOn = () => !budget.isSpent() && performance.now() < endsAt;
    try {
      const charge = () => budget.charge(costOfMail);
      if (await deliverMails(services, { sendMail, mayGoOn, charge, log })) await services.wakeMailer(log);
    } catch (error) {
      log("error", "sweep_failed", { reason: describeError(error) });
    }
  }

  return sweepOneByOne({ lasts: timeouts.mailSweep, sweep, handOver: services.wakeMailer });
}
