import type { Descriptions } from "../description.ts";
import { exampleSourceId } from "../examples.ts";

const passage = {
  file_id: "7a5b8f3c-2d11-4e0a-9c35-6f3d1b8a4e72",
  filename: "Prices 2026.pdf",
  source_url: null,
  dated_at: "2026-11-20T09:12:00.000Z",
  passage_id: "5f1d7a84db00d2fce00b31a7fc73224f",
  position: 0,
  page: 1,
  heading: "Prices",
  content: "| Initial consultation | 60 min | €140 |",
};

export const contradictionsDescriptions: Descriptions = {
  listContradictions: {
    summary: "List contradictions",
    description: "Passages of two files that say something else about the same thing, such as another price, date or " +
      "number, or yes and no. They are looked for in the background whenever a file was read. Contradictions that were " +
      "settled, and those of passages that a file does not have any more or that are barred, are left out.",
    reply: {
      description: "The contradictions",
      example: {
        data: [{
          id: exampleSourceId,
          is_confirmed: true,
          found_at: "2026-11-20T09:13:04.120Z",
          statements: [{
            kind: "price",
            one: "| Initial consultation | 60 min | €140 |",
            other: "The initial consultation of 60 minutes costs €120.",
          }],
          one: passage,
          other: {
            ...passage,
            file_id: "0c9e6a41-5b7d-4f62-8e13-2a4d9c7b1f58",
            filename: "Questions.md",
            dated_at: "2025-02-03T15:40:00.000Z",
            passage_id: "c4ca4238a0b923820dcc509a6f75849b",
            page: null,
            heading: null,
            content: "The initial consultation of 60 minutes costs €120.",
          },
        }],
        count: 1,
      },
    },
  },
  settleContradiction: {
    summary: "Settle a contradiction",
    description:
      "Says which of the two passages counts. Answers then do not draw on what the other file says instead: " +
      "its passages with these statements are barred, and can be used again as any barred passage can; or, with " +
      "`ends_file`, the days of the other file end. With `null` both stay. The same two statements are not listed again.",
    reply: {
      description: "The contradiction was settled",
      example: { message: "Contradiction settled successfully", contradictionId: exampleSourceId },
    },
  },
};
