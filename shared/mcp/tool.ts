import type { CallToolResult, Tool as ToolDescription, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { RequestContext, Scope } from "../context.ts";
import { parseInput } from "../http/parse_input.ts";

/** How far a call is: a number that grows, and what came since the last report. */
export type Progress = { progress: number; message?: string };

/** What a call is given beside its input. */
export type CallOptions = {
  /** Left out where the client did not ask for it. Never throws. */
  report?: (progress: Progress) => void;
};

/** What models are offered: a verb, and what they choose it by. */
export type ToolDefinition<Input, Output extends object> = {
  name: string;
  title: string;
  description: string;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  scope: Scope;
  /** The error of a failure that the verb does not word itself. */
  failure: string;
  input: z.ZodMiniType<Input>;
  output: z.ZodMiniType<Output>;
  call: (ctx: RequestContext, input: Input, options: CallOptions) => Promise<Output>;
};

/** A tool as the server lists and calls it. */
export type McpTool = {
  description: ToolDescription;
  scope: Scope;
  failure: string;
  /** @throws 400 when the arguments do not fit, and whatever the verb throws. */
  call: (ctx: RequestContext, args: Record<string, unknown>, options: CallOptions) => Promise<CallToolResult>;
};

/** Makes a tool of its definition. Its schemas are converted here, once per process. */
export function defineTool<Input, Output extends object>(
  { name, title, description, annotations, scope, failure, input, output, call }: ToolDefinition<Input, Output>,
): McpTool {
  return {
    description: {
      name,
      title,
      description,
      inputSchema: describeSchema(input, "input"),
      outputSchema: describeSchema(output, "output"),
      annotations,
    },
    scope,
    failure,
    async call(ctx, args, options) {
      const reply = await call(ctx, parseInput(input, leaveOutNulls(args)), options);
      return {
        // For clients from before structured content.
        content: [{ type: "text", text: JSON.stringify(reply) }],
        structuredContent: reply as Record<string, unknown>,
      };
    },
  };
}

function describeSchema(schema: z.ZodMiniType, io: "input" | "output"): ToolDescription["inputSchema"] {
  const described = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      // Clients judge replies by what they read here, perhaps before a field was added.
      delete jsonSchema.additionalProperties;
      if (io === "input") hideNull(jsonSchema);
    },
  });
  return JSON.parse(JSON.stringify(described), (_key, part) => splitTypes(part));
}

/** A list of types as alternatives: not every client knows such lists. */
function splitTypes(part: { type?: unknown } | null): unknown {
  if (!Array.isArray(part?.type)) return part;
  const { type, ...rest } = part;
  return { ...rest, anyOf: type.map((type) => ({ type })) };
}

/** Many models send null for whatever they leave out. */
function leaveOutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** So they need not know that they may, and many clients know no alternatives in a schema. */
function hideNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, { ...only, ...schema });
}
