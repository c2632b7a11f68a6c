import { coachColumns } from "../../core/wire/ids.ts";
import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { writeCellText } from "../pinned_answers/sheet_cells.ts";
import { writeRows } from "../pinned_answers/write_answer_sheet.ts";
import { periodColumns, periodFields, TopicList } from "./fields.ts";

/** The topics of the conversations with a coach. */
export const operation = defineEndpoint({
  name: "listTopics",
  method: "GET",
  path: "/coaches/:coachId/topics",
  scope: "expert",
  failure: "Failed to fetch the topics",
  errors: ofExperts,
  input: z.object({ coachId, ...periodFields }),
  output: TopicList,
  async verb({ database, userId }, { coachId, ...period }) {
    return await database.callForBytes("read_topics", {
      ...coachColumns({ coachId, userId }),
      ...periodColumns(period),
    });
  },
  reply(c, json) {
    if (!c.req.header("Accept")?.includes("text/csv")) {
      return c.body(json, 200, { "Content-Type": "application/json" });
    }
    const { data } = TopicList.parse(JSON.parse(new TextDecoder().decode(json)));
    return c.body(writeTopics(data), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="topics.csv"`,
    });
  },
});

const columns = ["name", "share", "conversations", "trend", "not_known", "rated_down", "examples", "id"] as const;

function writeTopics(topics: TopicList["data"]): string {
  const rows = topics.map((topic) => ({ ...topic, examples: topic.examples.join("\n") }));
  // A number begins no formula, even if it has a sign.
  const write = (cell: string | number) => typeof cell === "number" ? String(cell) : writeCellText(cell);
  return writeRows([columns, ...rows.map((row) => columns.map((column) => write(row[column])))]);
}
