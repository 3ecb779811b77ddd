import { TextBlock, ToolResultBlock } from '@strands-agents/sdk';
import { ContextOffloader } from '@strands-agents/sdk/vended-plugins/context-offloader';
import { serve, textOf, tokensLeft } from '../serve.mjs';
import { windowOf } from './window.mjs';

// The default is 2500. Of 2500, 1000, 500, 250 and 120, with 5 lines of context or 1, this kept the most facts on the
// development half. The share of the preview is that of the defaults.
const maxResultTokens = 250;
const previewTokens = 100;
const contextLines = 1;

let retrieve;
/** Stored results by the reference that their stubs show. */
let visible = new Map();

// Large results are stored when they arrive. What is still too long loses its oldest messages, with the references in it.
serve(
  async (messages, budgetTokens, tokens) => {
    let afterToolCall;
    let current = 0;
    const agent = {
      addHook: (event, callback) => {
        if (event.name === 'AfterToolCallEvent') afterToolCall = callback;
      },
      metrics: { cycleCount: 0 },
      model: { countTokens: async () => current },
    };
    const offloader = new ContextOffloader({ maxResultTokens, previewTokens, evictAfterCycles: null });
    offloader.initAgent(agent);
    [retrieve] = offloader.getTools();

    const shortened = new Map();
    const left = [...tokens];
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'tool' || message.is_error) continue;
      current = tokens[index];
      const toolUseId = `${message.tool_call_id}_${index}`;
      const result = new ToolResultBlock({
        toolUseId,
        status: 'success',
        content: [new TextBlock(textOf(message.content))],
      });
      const event = { agent, result, toolUse: { toolUseId, name: 'tool' } };
      await afterToolCall(event);
      if (event.result === result) continue;
      const stub = { ...message, content: event.result.content.map(({ text }) => text).join('\n') };
      shortened.set(index, { stub, reference: `${toolUseId}_0` });
      left[index] = tokensLeft(message, stub, tokens[index]);
    }
    const kept = await windowOf(messages, budgetTokens, left);
    visible = new Map();
    for (const index of kept) {
      const reference = shortened.get(index)?.reference;
      if (reference) visible.set(reference, textOf(messages[index].content));
    }
    return kept.map((index) => shortened.get(index)?.stub ?? index);
  },
  // The tool reads one reference. The agent knows which ones have the names.
  async (names) => {
    const answers = [];
    const wanted = new Set(names);
    const unread = new Map(visible);
    while (wanted.size > 0) {
      let best;
      for (const [reference, text] of unread) {
        const found = [...wanted].filter((name) => text.includes(name));
        if (found.length > (best?.found.length ?? 0)) best = { reference, found };
      }
      if (!best) break;
      unread.delete(best.reference);
      const pattern = best.found.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
      answers.push(await retrieve.invoke({ reference: best.reference, pattern, context_lines: contextLines }));
      for (const name of best.found) wanted.delete(name);
    }
    return answers;
  },
);
