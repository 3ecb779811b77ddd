import { beginningOf } from '../beginning-of.ts';

/** Statuses with which servers refuse a field, or a model that is not able to use it. */
const refusals: ReadonlySet<number> = new Set([400, 404, 422, 500, 501]);

/** Words for tools in errors. What a server calls the parts of a conversation is not among them, such as `tool_use`. */
const mention: RegExp = /\btools?\b|\bfunction[ -]?call/i;

/** True for a refusal that names tools: that of a model without tools, of a server that has no such field, or of too many. */
export async function refusesTools(reply: Response): Promise<boolean> {
  return refusals.has(reply.status) && mention.test(await beginningOf(reply));
}
