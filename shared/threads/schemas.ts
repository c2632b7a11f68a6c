import * as z from "zod/mini";
import { pageFields } from "../paging.ts";

/** Query of `GET /threads/{threadId}/messages`. Messages that were made together are told apart by their sequence. */
export const MessageQuery = z.object(pageFields(/\d{1,15}/));
