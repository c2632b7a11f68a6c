import { z } from "zod";
import { type CommandResult, defineCommand, id, text } from "./command.ts";
import type { Project } from "./open_project.ts";

const queued = z.object({ files: z.number() });

/** `npm run admin -- reindex …` */
export const reindexCommands = {
  file: defineCommand({
    about: "Reads a file again from the beginning. Until then, its old text can still be found.",
    args: { "file id": id },
    isChange: true,
    async run({ "file id": fileId }, { project }) {
      const opened = project();
      const { data } = await opened.client.rpc("reindex_file", { file_id: fileId }).throwOnError();
      return await begin(opened, data);
    },
  }),

  coach: defineCommand({
    about: "Reads all files of a coach again from the beginning. Until then, their old text can still be found.",
    args: { "coach id": text },
    isChange: true,
    async run({ "coach id": coachId }, { project }) {
      const opened = project();
      const { data } = await opened.client.rpc("reindex_coach", { coach_id: coachId }).throwOnError();
      return await begin(opened, data);
    },
  }),
};

async function begin(project: Project, data: unknown): Promise<CommandResult> {
  const { files } = queued.parse(data);
  if (files > 0) await project.wakeIndexer();
  const text = files === 0
    ? "There are no files to index."
    : `${files} ${files === 1 ? "file is" : "files are"} being indexed again.`;
  return { json: data, text };
}
