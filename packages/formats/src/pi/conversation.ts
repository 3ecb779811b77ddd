/**
 * A conversation of pi: `systemPrompt`, and the `AgentMessage[]` of its sessions and extensions. Agents that are built on
 * pi's packages, such as OpenClaw, use the same messages. Structurally typed: their own types are accepted without a cast.
 */
export interface PiConversation {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly PiMessage[];
}

/** A message: `user`, `assistant` or `toolResult`, or one that pi sends as the user's, such as `bashExecution`. */
export interface PiMessage {
  readonly role: string;
}
