import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { mailLanguages } from "../mail/fields.ts";
import { MailedAnswer } from "./schemas.ts";

const count = z.int();
const thread = { count, thread_id: z.string() };

/** What mails of each kind say. */
const contents = {
  human: z.object({ ...thread, question: z.nullable(z.string()) }),
  digest: z.object({ count, questions: z.array(z.object({ question: z.string(), people: count })) }),
  failure: z.object({ count, names: z.array(z.string()) }),
  budget: z.object({ scope: z.enum(["account", "key", "coach"]), resets_at: z.nullable(z.string()) }),
  invitation: z.object({ role: z.enum(["owner", "editor", "answerer"]), expires_at: z.string() }),
  answered: z.object(thread),
  confirmation: z.object({}),
  request_confirmation: z.object({}),
  request_answered: z.object({}),
};

/** The content of mails, by their kinds. */
export type MailContents = { [Kind in keyof typeof contents]: z.infer<typeof contents[Kind]> };
export type MailKind = keyof MailContents;

/** A mail that this worker has claimed. */
export type TakenMail<Kind extends MailKind = MailKind> = {
  id: string;
  claim: string;
  accountId: string;
  address: string;
  language: typeof mailLanguages[number];
  /** Names the settings or the address in links; null: nothing can be unsubscribed. */
  subscriptionId: string | null;
  /** Null: the mail is about no coach. */
  coachName: string | null;
} & { [Each in Kind]: { kind: Each; content: MailContents[Each] } }[Kind];

const TakenMail = replyObject({
  id: z.string(),
  claim: z.string(),
  kind: z.string(),
  account_id: z.string(),
  address: z.string(),
  language: z.enum(mailLanguages),
  subscription_id: z.nullable(z.string()),
  coach_name: z.nullable(z.string()),
  content: z.unknown(),
});

/** Claims mails that are due. */
export async function takeMails(database: Database, most: number): Promise<TakenMail[]> {
  const taken = await database.call("take_mails", { most }, z.array(TakenMail));
  return taken.map((mail) => {
    const kind = mail.kind as MailKind;
    return { ...mail, kind, content: contents[kind].parse(mail.content) } as TakenMail;
  });
}

/** The outcome of a try: `error` is null if the mail was sent. */
export type MailOutcome = {
  error: string | null;
  /** The code with which the address was refused for good; null: it was not. */
  reply: number | null;
  isFinal: boolean;
};

const GivenUp = z.array(
  replyObject({ id: z.string(), account_id: z.string(), kind: z.string(), error: z.string() }),
);

/** Stores the outcome of a claimed mail, and returns the mails that are given up. */
export async function finishMail(
  database: Database,
  { id, claim, address }: Pick<TakenMail, "id" | "claim" | "address">,
  { error, reply, isFinal }: MailOutcome,
): Promise<z.infer<typeof GivenUp>> {
  return await database.call("finish_mails", {
    outcomes: [{ id, claim, address, error, reply, is_final: isFinal }],
  }, GivenUp);
}

/** Has the token in a mail accept its invitation or open its answer. False: there is none any more. */
export async function noteMailToken(
  database: Database,
  { id, claim }: Pick<TakenMail, "id" | "claim">,
  digest: string,
): Promise<boolean> {
  return await database.call("note_mail_token", { mail_id: id, claim, digest }, z.boolean());
}

/** Ends the mails of a kind. */
export async function unsubscribe(database: Database, { kind, id }: { kind: string; id: string }): Promise<void> {
  await database.call("unsubscribe_mail", { kind, subscription_id: id }, z.null());
}

/** Confirms an address. False if it was replaced or deleted. */
export async function confirmAddress(database: Database, id: string): Promise<boolean> {
  return await database.call("confirm_mail", { subscription_id: id }, z.boolean());
}

/** The question and the answer that the link in a mail opens, as JSON; null for an unknown or old one. */
export async function readMailedAnswer(
  database: Database,
  digest: string,
  picturesUrl: string,
): Promise<z.infer<typeof MailedAnswer> | null> {
  const args = { digest, pictures_url: picturesUrl };
  return await database.call("read_mailed_answer", args, z.nullable(MailedAnswer));
}
