import type { ModelMessage, streamText } from 'ai';

/** The messages of all steps: version 7 of the AI SDK moved them, and left those of the last step where they were. */
export function allResponseMessages(result: {
  readonly response: { readonly messages: ModelMessage[] };
}): ModelMessage[] {
  return (result as { readonly responseMessages?: ModelMessage[] }).responseMessages ?? result.response.messages;
}

/** The same for a stream. Reads it to its end. */
export async function allStreamedMessages(
  result: Pick<ReturnType<typeof streamText>, 'consumeStream' | 'response'>,
): Promise<readonly ModelMessage[]> {
  await result.consumeStream();
  const { responseMessages } = result as { readonly responseMessages?: PromiseLike<ModelMessage[]> };
  return (await responseMessages) ?? (await result.response).messages;
}
