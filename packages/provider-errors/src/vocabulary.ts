/** Names that providers use for the cap on the answer, as the source of a pattern. */
export const outputName: string = String.raw`(?:max_(?:completion_|output_|new_|gen_)?tokens\b(?! allowed)|max_tokens_to_sample|max tokens (?=must|should|parameter|value|to generate)|max_?output_?tokens|max_gen_len|maxtokencount|maxtokens|num_predict|n_predict|maximum tokens(?: you requested| value)|output (?:tokens?|length)|completion tokens?|new tokens|number of output tokens)`;

/** Matches text that names input and output together. The figures in such a sentence are about their sum. */
export const sum: RegExp =
  /(?:inputs?|prompt|messages|input_tokens|prompt_tokens)(?: length| tokens?)?(?: \([^)]{1,20}\)| [\d,]+)? ?(?:and|\+|plus|或|和|加) ?(?:the )?(?:requested )?(?:max\w*|output|completion|new)|(?:prompt|输入)(?:与|和|加)输出|max_total_tokens|total tokens/;
