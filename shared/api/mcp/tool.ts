import type { CallToolResult, Tool as ToolDescription, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { IncomingRequest } from "../../core/context.ts";
import { lazy } from "../../libs/base/lazy.ts";
import { type LoadOperation, type Operation, parseInput, perform } from "../../core/operation.ts";
import type { Standing } from "../../features/experts/roles.ts";

/** The progress of a call: a number that increases, and the text since the last report. */
export type Progress = { progress: number; message?: string };

/** The context of a call, in addition to its arguments. */
export type CallOptions = {
  /** Undefined if the client did not request progress. Never throws. */
  report?: (progress: Progress) => void;
};

/** An operation as a tool for models: its description, and the differences from the operation. */
export type McpTool<Input, Result> = {
  load: LoadOperation<Operation<Input, Result>>;
  name: string;
  title: string;
  description: string;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  /** Returns whether the scope is enough for a caller. By default, it is for everybody. */
  isFor?: (standing: Standing) => boolean;
  /** Arguments that take the place of those that are left out. */
  usual?: (incoming: IncomingRequest) => Record<string, unknown>;
  /** The arguments of the tool, by default the input of the operation. They are parsed to that input. */
  input?: () => Promise<z.ZodMiniType>;
  /** Makes the reply of a result that is not the reply itself. */
  reply?: (incoming: IncomingRequest, result: Result, options: CallOptions) => Promise<object>;
};

// deno-lint-ignore no-explicit-any -- Tools of every input and result, in one list.
export type AnyMcpTool = McpTool<any, any>;

/** Checks that a tool fits its operation. */
export function defineTool<Input, Result>(tool: McpTool<Input, Result>): McpTool<Input, Result> {
  return { ...tool, load: lazy(tool.load) };
}

/** Calls a tool. @throws {ApiError} as `perform` does. */
export async function callTool(
  tool: AnyMcpTool,
  incoming: IncomingRequest,
  args: Record<string, unknown>,
  options: CallOptions,
): Promise<CallToolResult> {
  const [{ operation }, schema] = await Promise.all([tool.load(), tool.input?.()]);
  return await perform(operation, incoming, { readInput, reply });

  function readInput() {
    const sent = { ...tool.usual?.(incoming), ...leaveOutNulls(args) };
    return schema === undefined ? sent : parseInput(schema, sent);
  }
  async function reply(result: unknown): Promise<CallToolResult> {
    const reply = tool.reply === undefined ? readResult(result) : await tool.reply(incoming, result, options);
    return {
      // For clients that do not know structured content.
      content: [{ type: "text", text: JSON.stringify(reply, null, 2) }],
      structuredContent: reply as Record<string, unknown>,
    };
  }
}

const decoder = new TextDecoder();

/** The result of a verb as it is, or the JSON of Postgres that it has passed on. */
function readResult(result: unknown): unknown {
  return result instanceof Uint8Array ? JSON.parse(decoder.decode(result)) : result;
}

/** The descriptions of tools in `tools/list`, each with its tool and the scope that it needs. */
export async function listTools(tools: AnyMcpTool[]) {
  return await Promise.all(tools.map(async (tool) => {
    const { load, name, title, description, annotations, usual, input } = tool;
    const [{ operation }, schema] = await Promise.all([load(), input?.()]);
    const listed: ToolDescription = {
      name,
      title,
      description,
      // With a key alone, the service says what is missing.
      inputSchema: { ...describeSchema(schema ?? operation.input, "input"), ...usual && { required: [] } },
      outputSchema: describeSchema(operation.output, "output"),
      annotations,
    };
    return { tool, scope: operation.scope, listed };
  }));
}

function describeSchema(schema: z.ZodMiniType, io: "input" | "output"): ToolDescription["inputSchema"] {
  // Left out, it is this one anyway. Clients that know an older dialect alone refuse a schema that names it.
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      // Clients check replies against a schema that they may have read before a field was added.
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

/** Many models send null for an argument that they mean to leave out. */
function leaveOutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** Takes null out of the schema of an optional argument: many clients do not understand alternatives. */
function hideNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, { ...only, ...schema });
}
