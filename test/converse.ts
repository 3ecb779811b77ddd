import {
  type BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type TokenUsage,
} from '@aws-sdk/client-bedrock-runtime';

/** An answer, put together. */
export interface ConverseAnswer {
  readonly content: readonly ContentBlock[];
  readonly stopReason: string | undefined;
  readonly usage: TokenUsage | undefined;
}

/** Asks, streamed or not. */
export async function askConverse(
  client: BedrockRuntimeClient,
  input: ConverseCommandInput,
  isStreamed: boolean,
): Promise<ConverseAnswer> {
  if (!isStreamed) {
    const { output, stopReason, usage } = await client.send(new ConverseCommand(input));
    return { content: output?.message?.content ?? [], stopReason, usage };
  }
  const { stream } = await client.send(new ConverseStreamCommand(input));
  const blocks = new Map<number, Record<string, unknown>>();
  const inputs = new Map<number, string>();
  let stopReason: string | undefined;
  let usage: TokenUsage | undefined;
  for await (const event of stream!) {
    const { contentBlockStart: start } = event;
    if (start) blocks.set(start.contentBlockIndex!, { toolUse: { ...start.start!.toolUse } });
    extend(blocks, inputs, event);
    stopReason = event.messageStop?.stopReason ?? stopReason;
    usage = event.metadata?.usage ?? usage;
  }
  for (const [index, text] of inputs)
    (blocks.get(index)!.toolUse as { input?: unknown }).input = JSON.parse(text === '' ? '{}' : text) as unknown;
  return { content: [...blocks.values()] as unknown as ContentBlock[], stopReason, usage };
}

function extend(
  blocks: Map<number, Record<string, unknown>>,
  inputs: Map<number, string>,
  { contentBlockDelta }: ConverseStreamOutput,
): void {
  const { contentBlockIndex: index = 0, delta } = contentBlockDelta ?? {};
  if (!delta) return;
  const block = blocks.get(index) ?? {};
  blocks.set(index, block);
  if (delta.text !== undefined) block.text = `${(block.text as string | undefined) ?? ''}${delta.text}`;
  if (delta.toolUse) inputs.set(index, `${inputs.get(index) ?? ''}${delta.toolUse.input ?? ''}`);
  if (!delta.reasoningContent) return;
  const { text = '', signature } = delta.reasoningContent;
  const before = (block.reasoningContent as { reasoningText: { text: string } } | undefined)?.reasoningText;
  block.reasoningContent = {
    reasoningText: { text: `${before?.text ?? ''}${text}`, ...(signature === undefined ? {} : { signature }) },
  };
}
