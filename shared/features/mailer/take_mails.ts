import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { mailLanguages } from "../mail/fields.ts";

const count = z.int();
const thread = { count, thread_id: z.string() };

/** The contents of mails, by their kind. */
const contents = {
  human: z.object({ ...thread, question: z.nullable(z.string()) }),
  digest: z.object({ count, questions: z.array(z.object({ question: z.string(), people: count })) }),
  /** Of the seven days before today; `before`: of the seven before those. */
  topics: z.object({
    from: z.string(),
    to: z.string(),
    count,
    before: count,
    not_known: count,
    topics: z.array(z.object({ name: z.string(), conversations: count, trend: z.int(), not_known: count })),
  }),
  failure: z.object({ count, names: z.array(z.string()) }),
  budget: z.object({ scope: z.enum(["account", "key", "coach"]), resets_at: z.nullable(z.string()) }),
  invitation: z.object({
    role: z.enum(["owner", "editor", "answerer"]),
    expires_at: z.string(),
    invited_by: z.nullable(z.string()),
  }),
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
  /** The own name of the expert whose reply it tells of; null: people see that of the coach. */
  expertName: string | null;
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
  expert_name: z.nullable(z.string()),
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
