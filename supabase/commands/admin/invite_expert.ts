import { z } from "zod";
import { defineCommand } from "./command.ts";
import { role } from "./expert.ts";
import { formatFields, formatTime } from "./format_table.ts";
import { id, text } from "./inputs.ts";
import { requireAccount } from "./require_account.ts";

const invitation = z.object({
  id: z.string(),
  role: z.string(),
  email: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  token: z.string(),
});

/** `expert invite` */
export const inviteExpert = defineCommand({
  positionals: [],
  input: z.strictObject({
    account: id,
    coach: text.optional(),
    role: role.default("owner"),
    email: z.email("is not an email address").max(254).optional(),
    desk: z.url({ protocol: /^https?$/, error: "is not the address of a desk, such as https://www.example.com/desk/" })
      .optional(),
  }).refine(({ coach, role }) => coach !== undefined || role === "owner", {
    path: ["role"],
    error: "must be owner where --coach is missing: whoever makes a coach owns it",
  }),
  isChange: true,
  async run({ account, coach, role, email, desk }, { project, note }) {
    const opened = project();
    await requireAccount(opened, account);
    const { data } = await opened.client.rpc("invite_expert", { account_id: account, coach, role, email })
      .throwOnError();
    const { token, expires_at, ...made } = invitation.parse(data);
    note(
      desk === undefined
        ? "The token is shown only now. Whoever opens the desk with #invitation=<token> behind its address can accept it."
        : "The link is shown only now. Whoever opens it first can accept the invitation.",
    );
    const secret = desk === undefined ? { token } : { link: `${desk.replace(/#.*/, "")}#invitation=${token}` };
    const fields = { invitation: made.id, role, coach: coach ?? "a new one", email };
    return { json: data, text: formatFields({ ...fields, expires: formatTime(expires_at), ...secret }) };
  },
});
