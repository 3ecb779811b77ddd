import { contextWindow } from './loopback-server/index.ts';

/** One request as the model gets it. */
export interface ModelRequest<Message> {
  /** The messages in the form of the agent. */
  readonly messages: readonly Message[];
  readonly promptTokens: number;
  /** Tokens of the prefix that it shares with the request before it. */
  readonly cachedTokens: number;
  readonly fits: boolean;
}

/** A model with a small window, for tests of plugins that play the agent in the same process. */
export interface SmallModel<Message> {
  /** All requests, oldest first. */
  readonly sent: ModelRequest<Message>[];
  /** Takes a request. @param body what the model reads: system prompt, tools, messages, the longest answer */
  send(messages: readonly Message[], body: Readonly<Record<string, unknown>>): ModelRequest<Message>;
}

/** @param window tokens, counted exactly */
export function smallModel<Message>(window: number): SmallModel<Message> {
  const judge = contextWindow(window);
  const sent: ModelRequest<Message>[] = [];
  return {
    sent,
    send(messages, body) {
      const { promptTokens, cachedTokens, refusal } = judge({ protocol: 'anthropic', body });
      const request = { messages, promptTokens, cachedTokens, fits: refusal === null };
      sent.push(request);
      return request;
    },
  };
}
