import { z } from "zod";
import { roles } from "../../../shared/features/experts/roles.ts";
import { CommandError, refuse } from "../command_error.ts";
import { aCoach, anAccount, defineCommand, defineList, id, ifGiven, option } from "./command.ts";
import type { Project } from "./open_project.ts";
import { explainUser, readEmail, requireAccount, requireCoach } from "./read_rows.ts";
import { formatFields, formatRows, formatTime } from "./terminal_text.ts";

const role = z.enum(roles, { error: "is not owner, editor or answerer" });
const roleNames = "owner, editor or answerer";
const invitation = z.object({
  id: z.string(),
  role: z.string(),
  email: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  token: z.string(),
});

/** `npm run admin -- expert …` */
export const expertCommands = {
  list: defineList({
    about: "Lists the experts of a coach.",
    options: { coach: aCoach },
    none: "This coach has no experts yet.",
    read: (project, { coach }) => readExperts(project, coach),
    show: showExpert,
  }),

  add: defineCommand({
    about: "Makes a user an expert of a coach, or changes the role: see supabase/docs/expert.md.",
    args: { "user id": id },
    options: { coach: aCoach, role: option("ROLE", role.default("answerer"), roleNames) },
    isChange: true,
    async run({ "user id": userId, coach: coachId, role }, { project }) {
      const opened = project();
      const expert = {
        coach_id: coachId,
        account_id: await requireCoach(opened.client, coachId),
        user_id: userId.toLowerCase(),
        role,
      };
      await opened.client.from("coach_experts").upsert(expert).throwOnError()
        .then(undefined, explainUser("user_id", "This project has no user with this ID."));
      const experts = await readExperts(opened, coachId);
      return { json: experts, text: formatExperts(experts) };
    },
  }),

  remove: defineCommand({
    about: "Ends that a user is an expert of a coach.",
    args: { "user id": id },
    options: { coach: aCoach },
    isChange: true,
    async run({ "user id": userId, coach: coachId }, { project, note }) {
      const opened = project();
      await requireCoach(opened.client, coachId);
      const { data } = await opened.client.from("coach_experts").delete().eq("coach_id", coachId).eq("user_id", userId)
        .select("user_id").throwOnError();
      if (data.length === 0) throw new CommandError("This user is not an expert of the coach");
      const experts = await readExperts(opened, coachId);
      if (!experts.some(({ role }) => role === "owner")) note("This coach has no owner any more.");
      return { json: experts, text: formatExperts(experts) };
    },
  }),

  invite: defineCommand({
    about:
      `Makes a link with which one person can become an expert within seven days; without --coach, that person makes a
      coach of their own.`,
    options: {
      account: anAccount,
      coach: ifGiven({ ...aCoach, help: "the coach; without it, the invited person makes one" }),
      role: option("ROLE", role.default("owner"), roleNames),
      email: option("ADDRESS", z.email("is not an email address").max(254).optional(), "whom the invitation is for"),
      desk: option(
        "ADDRESS",
        z.url({ protocol: /^https?$/, error: "is not the address of a desk, such as https://www.example.com/desk/" })
          .optional(),
        "the address of the desk, to print a link instead of a token",
      ),
    },
    isChange: true,
    async run({ account, coach, role, email, desk }, { project, note }) {
      if (coach === undefined && role !== "owner") {
        refuse("expert invite: --role must be owner where --coach is missing: whoever makes a coach owns it.");
      }
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
  }),
};

/** An expert of a coach. The email address is null where Auth does not tell it, as that of `npm start`. */
type ListedExpert = { user_id: string; email: string | null; role: string; created_at: string };

/** The experts of a coach, those who have been experts for longest first. */
export async function readExperts(project: Project, coachId: string): Promise<ListedExpert[]> {
  const { data } = await project.client.from("coach_experts").select("user_id,role,created_at").eq("coach_id", coachId)
    .order("created_at").order("user_id").throwOnError();
  return await Promise.all(
    data.map(async (expert) => ({ ...expert, email: await readEmail(project, expert.user_id) })),
  );
}

/** Experts as a table; empty without any. */
export function formatExperts(experts: ListedExpert[]): string {
  return formatRows(experts, showExpert);
}

function showExpert({ user_id: user, email, role, created_at }: ListedExpert) {
  return { role, email, since: formatTime(created_at), user };
}
