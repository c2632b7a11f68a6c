import type { Descriptions } from "../description.ts";

export const conversationsDescriptions: Descriptions = {};
