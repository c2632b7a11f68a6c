import type { Descriptions } from "../description.ts";

export const takeoverDescriptions: Descriptions = {};
