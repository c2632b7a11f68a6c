import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { describeModel, findModels, Model } from "./get_model.ts";

export const ModelList = z.object({ object: z.literal("list"), data: z.array(Model) });

/** The coaches that the caller may talk to, as models. */
export const operation = defineEndpoint({
  name: "listModels",
  method: "GET",
  path: "/openai/v1/models",
  scope: "chat",
  failure: "Failed to fetch models",
  input: z.object({}),
  output: ModelList,
  async verb({ database }): Promise<z.infer<typeof ModelList>> {
    return { object: "list", data: (await findModels(database, null)).map(describeModel) };
  },
});
