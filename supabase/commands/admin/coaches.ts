import { z } from "zod";
import { CommandError, refuse } from "../command_error.ts";
import { anAccount, defineCommand, defineList, flag, id, ifGiven, option, text, wholeNumber } from "./command.ts";
import { formatExperts, readExperts } from "./experts.ts";
import { frontMatterFields, readCoachFile } from "./read_coach_file.ts";
import { explainUser, readAll, readAllByOffset, requireCoach, requireRow } from "./read_rows.ts";
import { type Cell, formatFields, formatRows, formatTime, showHarmlessly, showLines } from "./terminal_text.ts";
import type { CoachField } from "../../../shared/features/coaches/coach_fields.ts";
import { countCharacters } from "../../../shared/libs/base/text.ts";

/** The columns of a list of coaches: everything but the instructions. */
const columns = [
  ...["id", "account_id", "owner_id", "picture", "version", "is_active", "created_at"],
  ...frontMatterFields.map(([name]) => name),
].join(",");
const restoredVersion = z.object({ version: z.number(), changes: z.array(z.string()) });

const explainOwner = explainUser("owner", "This project has no user with the ID given as --owner.");

const sourcesAreOpen = flag(
  "whoever talks to the coach may also read its files, as sources_are_open: true in the file",
);

/** `npm run admin -- coach …` */
export const coachCommands = {
  create: defineCommand({
    about: "Creates a coach from a file.",
    args: { "file.md": text },
    options: {
      account: anAccount,
      owner: option("USER", id.optional(), "the user ID of the first owner of the coach"),
      "sources-are-open": sourcesAreOpen,
    },
    isChange: true,
    async run({ "file.md": file, account, owner, "sources-are-open": isOpen }, { project, folder }) {
      const { id, fields } = await readCoachFile(folder, file);
      const { data } = await project().client.rpc("create_coach", {
        account_id: account,
        ...leaveOutNulls({ id, ...fields }),
        owner_id: owner,
        sources_are_open: fields.sources_are_open || isOpen,
      }).throwOnError().then(undefined, explainOwner);
      return { json: data, text: formatCoach(data) };
    },
  }),

  update: defineCommand({
    about: "Replaces all fields and the instructions of a coach with those of a file.",
    args: { "coach id": text, "file.md": text },
    options: {
      owner: option(
        "USER",
        z.union([z.literal("none"), id]).optional(),
        "the user ID of the owner; none removes the owner. Without it, the owner does not change.",
      ),
      "sources-are-open": sourcesAreOpen,
    },
    isChange: true,
    async run({ "coach id": coachId, "file.md": file, owner, "sources-are-open": isOpen }, { project, folder }) {
      const { id, fields } = await readCoachFile(folder, file);
      if (id !== null && id !== coachId) {
        refuse(`${showHarmlessly(file)} has the ID ${showHarmlessly(id)}, but the ID of a coach cannot be changed.`);
      }
      const change = {
        ...fields,
        sources_are_open: fields.sources_are_open || isOpen,
        ...(owner === undefined ? {} : { owner_id: owner === "none" ? null : owner }),
      };
      const { data } = await project().client.from("coach_profiles").update(change).eq("id", coachId).select()
        .throwOnError().then(undefined, explainOwner);
      if (data[0] === undefined) throw new CommandError("Coach not found");
      return { json: data[0], text: formatCoach(data[0]) };
    },
  }),

  list: defineList({
    about: "Lists the coaches. With --json, it shows everything but the instructions.",
    options: { account: ifGiven(anAccount) },
    none: "There are no coaches yet.",
    read: ({ client }, { account }) => readAll(() => client.from("coach_profiles").select(columns as "*"), account),
    show: ({ id, name, title, model, language, is_active: active, account_id: account }) => {
      return { id, name, title, model, language, active, account };
    },
  }),

  show: defineCommand({
    about:
      `Shows a coach completely. Where it says default, the value comes from the deployment's variable or, if that is
      not set, from the default in supabase/docs/variables.md.`,
    args: { "coach id": text },
    async run({ "coach id": coachId }, { project }) {
      const opened = project();
      const coach = await requireRow("Coach", opened.client.from("coach_profiles").select().eq("id", coachId));
      const experts = await readExperts(opened, coachId);
      const parts = [formatCoach(coach), formatExperts(experts), showLines(coach.instructions)];
      return { json: { ...coach, experts }, text: parts.filter((part) => part !== "").join("\n\n") };
    },
  }),

  history: defineCommand({
    about: "Shows each version of a coach, with what was changed.",
    args: { "coach id": text },
    async run({ "coach id": coachId }, { project }) {
      const { client } = project();
      await requireCoach(client, coachId);
      const versions = await readAllByOffset(
        () =>
          client.from("coach_versions").select("version,published_at,published_by,changes,restored_from")
            .eq("coach_id", coachId).gt("version", 0).order("version", { ascending: false }),
        ({ version }) => String(version),
      );
      const text = formatRows(versions, ({ version, published_at, published_by: by, restored_from, changes }) => ({
        ...{ version, published: formatTime(published_at), by },
        ...{ "restored from": restored_from, changes: changes.join(", ") || null },
      }));
      return { json: versions, text };
    },
  }),

  restore: defineCommand({
    about:
      `Makes a coach what it was in one of its versions. That brings back what experts edit at the desk, and no other
      setting.`,
    args: { "coach id": text, version: wholeNumber(1) },
    isChange: true,
    async run({ "coach id": coachId, version }, { project }) {
      const { data } = await project().client.rpc("restore_coach", { coach: coachId, version }).throwOnError();
      const restored = restoredVersion.parse(data);
      return {
        json: data,
        text: `Version ${restored.version} has the persona of version ${version} again: ${
          restored.changes.join(", ")
        }.`,
      };
    },
  }),
};

/** Arguments of a function of Postgres, without those that are null: their types know no null, but may be left out. */
function leaveOutNulls<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Name in keyof Fields]: null extends Fields[Name] ? Exclude<Fields[Name], null> | undefined : Fields[Name];
  };
}

const rowOfCoach = z.looseObject({ instructions: z.string() });

/** A coach with all of its settings, but only the length of its instructions. */
function formatCoach(row: unknown): string {
  const coach = rowOfCoach.parse(row) as Record<string, Cell> & { instructions: string };
  return formatFields({
    id: coach.id,
    ...Object.fromEntries(
      frontMatterFields.map(([name, field]) => [name.replaceAll("_", " "), show(coach[name], field)]),
    ),
    picture: coach.picture,
    version: coach.version,
    active: coach.is_active,
    account: coach.account_id,
    owner: coach.owner_id,
    instructions: `${countCharacters(coach.instructions)} characters`,
  });
}

/** A value; for one that defaults to the deployment's, its variable. Only the functions know the deployment's. */
function show(value: unknown, { variable }: CoachField): Cell {
  if (Array.isArray(value)) return value.join(" | ") || null;
  return value === null && variable !== undefined ? `default of the deployment (${variable})` : value as Cell;
}
