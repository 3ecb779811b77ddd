import { Agent, type AgentInputItem, type Model, OpenAIProvider, Runner, tool } from '@openai/agents';
import type { AdapterDriver, AgentOptions } from '../../../test/adapter-suite/index.ts';
import { contextFunctionTools, contextModel } from '../src/index.ts';

/** An agent on Responses, whose history is passed from run to run. */
export const agentsDriver: AdapterDriver = {
  name: 'OpenAI Agents SDK',
  async start(options) {
    const provider = new OpenAIProvider({ apiKey: 'test', baseURL: options.server.openaiUrl });
    const agent = await agentOn(await provider.getModel('m'), options);
    const runner = new Runner({ tracingDisabled: true });
    let history = options.history as AgentInputItem[];
    return {
      history: () => history,
      async ask({ text, image, signal }) {
        const pictures = image === undefined ? [] : [{ type: 'input_image' as const, image: dataUrl(image) }];
        const input: AgentInputItem[] = [
          ...history,
          { role: 'user', content: [{ type: 'input_text', text }, ...pictures] },
        ];
        const limits = { maxTurns: 1_000, ...(signal ? { signal } : {}) };
        if (!options.streaming) {
          const result = await runner.run(agent, input, limits);
          ({ history } = result);
          return { text: result.finalOutput ?? '', pieces: 0 };
        }
        let pieces = 0;
        const result = await runner.run(agent, input, { ...limits, stream: true });
        for await (const _ of result.toTextStream()) pieces++;
        await result.completed;
        ({ history } = result);
        return { text: result.finalOutput ?? '', pieces };
      },
    };
  },
};

function dataUrl(png: string): string {
  return `data:image/png;base64,${png}`;
}

/** An agent with the adapter on a model. */
export async function agentOn(
  model: Model,
  {
    session,
    system,
    tools,
    maxTokens,
    recall,
  }: Pick<AgentOptions, 'session' | 'system' | 'tools' | 'maxTokens' | 'recall'>,
) {
  const own = tools.map(({ name, description, parameters, run }) =>
    tool({
      name,
      description,
      strict: false,
      parameters: { properties: {}, required: [], ...parameters, type: 'object', additionalProperties: true },
      execute: (input) => run(input as Readonly<Record<string, unknown>>),
    }),
  );
  return new Agent({
    name: 'Coder',
    instructions: system,
    model: contextModel(session, model),
    modelSettings: { maxTokens },
    tools: [...own, ...(recall ? await contextFunctionTools(session) : [])],
  });
}
