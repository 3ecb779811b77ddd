// Written by "pnpm vitest run packages/tokens/test/model-table.test.ts --update", from the package tokenlens.

/**
 * Models by normalized name, one a line: the window, the most tokens of a prompt and of an answer (0 if not stated), and,
 * if they are known, the list prices of input, output, and input read from and written to the cache.
 */
export const modelTable: string = `
ai21-jamba-1-5-large 256000 0 4096
ai21-jamba-1-5-mini 256000 0 4096
ai21.jamba-1-5-large 256000 0 4096 2 8 2 2
ai21.jamba-1-5-mini 256000 0 4096 0.2 0.4 0.2 0.2
auto 32000 0 32000 0.85 1.55 0.85 0.85
cerebras-llama-4-maverick-17b-128e-instruct 128000 0 4096
cerebras-llama-4-scout-17b-16e-instruct 128000 0 4096
claude 200000 0 4096 8 24 8 8
claude-3-5-haiku 200000 0 8192 0.8 4 0.08 1
claude-3-5-sonnet 200000 0 8192 3 15 0.3 3.75
claude-3-7-sonnet 200000 0 64000 3 15 0.3 3.75
claude-3-7-sonnet-thought 200000 0 16384
claude-3-haiku 200000 0 4096 0.25 1.25 0.03 0.3
claude-3-opus 200000 0 4096 15 75 1.5 18.75
claude-3-sonnet 200000 0 4096 3 15 0.3 0.3
claude-4-1-opus 200000 0 32000 15 75 1.5 18.75
claude-4-opus 200000 0 32000 15 75 1.5 18.75
claude-4-sonnet 200000 0 64000 3 15 0.3 3.75
claude-instant 100000 0 4096 0.8 2.4 0.8 0.8
claude-opus-4 200000 0 32000 15 75 1.5 18.75
claude-opus-4-1 200000 0 32000 15 75 1.5 18.75
claude-opus-41 80000 0 16000
claude-sonnet-4 200000 0 64000 3 15 0.3 3.75
codestral 256000 0 4096 0.3 0.9 0.3 0.3
codestral-2501 32000 0 8192
codestral-2508 256000 0 256000 0.3 0.9 0.3 0.3
codex-mini 200000 0 100000 1.5 6 0.375 1.5
cohere-command-a 128000 0 4096
cohere-command-r 128000 0 4096
cohere-command-r-plus 128000 0 4096
command-light-text 4096 0 4096 0.3 0.6 0.3 0.3
command-r 128000 0 4096 0.5 1.5 0.5 0.5
command-r-plus 128000 0 4096 3 15 3 3
command-text 4096 0 4096 1.5 2 1.5 1.5
cosmos-nemotron-34b 131072 0 8192
cypher-alpha 1000000 0 1000000
deephermes-3-llama-3-8b 131072 0 8192
deepseek 131072 0 12288 1.25 1.25 1.25 1.25
deepseek-chat 128000 0 8192 0.57 1.68 0.07 0.57
deepseek-chat-v3-0324 16384 0 8192
deepseek-chat-v3-1 163840 0 163840 0.2 0.8 0.2 0.2
deepseek-coder-6-7b-base-awq 4096 0 4096
deepseek-coder-6-7b-instruct-awq 4096 0 4096
deepseek-coder-v2-lite 131072 0 8192 0.5 2 0.5 0.5
deepseek-math-7b-instruct 4096 0 4096
deepseek-r1 163840 0 163840
deepseek-r1-0528 163840 0 163840 3 5 3 3
deepseek-r1-0528-qwen3-8b 131072 0 131072 0.02 0.07 0.02 0.02
deepseek-r1-671b 131072 0 8192 3.5 14 3.5 3.5
deepseek-r1-distill-llama-70b 131072 0 131072 0.03 0.14 0.03 0.03
deepseek-r1-distill-qwen-14b 64000 0 8192
deepseek-r1-distill-qwen-32b 80000 0 80000 0.5 4.88 0.5 0.5
deepseek-r1t-chimera 163840 0 163840 0.18 0.72 0.18 0.18
deepseek-r1t2-chimera 163840 0 163840
deepseek-reasoner 128000 0 128000 0.57 1.68 0.07 0.57
deepseek-tng-r1t2-chimera 163840 0 163840 0.2 0.8 0.2 0.2
deepseek-v3-0324 161000 0 8192 1.14 2.75 1.14 1.14
deepseek-v3-1 163840 0 163840 0.2 0.8 0.2 0.2
deepseek-v3-base 163840 0 163840
deepseek-v3p1 163840 0 163840 0.56 1.68 0.56 0.56
devstral-medium-2507 128000 0 128000 0.4 2 0.4 0.4
devstral-small-2505 128000 0 128000 0.1 0.3 0.1 0.1
devstral-small-2507 128000 0 128000 0.1 0.3 0.1 0.1
discolm-german-7b-v1-awq 4096 0 4096
dolphin-2-9.2-qwen2-72b 32768 0 8192 0.7 2.8 0.7 0.7
dolphin3-0-mistral-24b 32768 0 8192
dolphin3-0-r1-mistral-24b 32768 0 8192
falcon-7b-instruct 4096 0 4096
flux-1-schnell 2048 0 0 0.000053 0.00011 0.000053 0.000053
flux_1-dev 4096 0 0
gemini-1-5-flash 1000000 0 8192 0.075 0.3 0.01875 0.075
gemini-1-5-flash-8b 1000000 0 8192 0.0375 0.15 0.01 0.0375
gemini-1-5-pro 1000000 0 8192 1.25 5 0.3125 1.25
gemini-2-0-flash 1048576 0 8192 0.1 0.4 0.025 0.1
gemini-2-0-flash-001 1048576 0 8192 0.1 0.4 0.025 0.1
gemini-2-0-flash-lite 1048576 0 8192 0.075 0.3 0.075 0.075
gemini-2-5-flash 1048576 0 65536 0.15 0.6 0.0375 0.15
gemini-2-5-flash-lite 65536 0 65536 0.1 0.4 0.025 0.1
gemini-2-5-pro 1048576 0 65536 1.25 10 0.31 1.25
gemma-2-9b-it 8192 0 8192
gemma-2b-it-lora 8192 0 8192
gemma-3 125000 0 4096 0.15 0.3 0.15 0.15
gemma-3-12b-it 96000 0 8192
gemma-3-27b-it 131072 0 8192
gemma-3n-e4b-it 8192 0 8192
gemma-7b-it 8192 0 8192
gemma-7b-it-lora 3500 0 3500
gemma2-9b-it 8192 0 8192 0.2 0.2 0.2 0.2
glm-4-5 131072 0 98304 0.6 2.2 0.11 0
glm-4-5-air 131072 0 98304 0.2 1.1 0.03 0
glm-4-5-flash 131072 0 98304
glm-4-5-fp8 131072 0 131072
glm-4-5v 64000 0 16384 0.6 1.8 0.6 0.6
glm-4p5 131072 0 131072 0.55 2.19 0.55 0.55
glm-4p5-air 131072 0 131072 0.22 0.88 0.22 0.22
glm-z1-32b 32768 0 32768
gpt-3-5-turbo 16385 0 4096 0.5 1.5 1.25 0.5
gpt-3-5-turbo-0125 16384 0 16384 0.5 1.5 0.5 0.5
gpt-3-5-turbo-0301 4096 0 4096 1.5 2 1.5 1.5
gpt-3-5-turbo-0613 16384 0 16384 3 4 3 3
gpt-3-5-turbo-1106 16384 0 16384 1 2 1 1
gpt-3-5-turbo-instruct 4096 0 4096 1.5 2 1.5 1.5
gpt-4 8192 0 8192 30 60 30 30
gpt-4-1 1047576 0 32768 2 8 0.5 2
gpt-4-1-mini 1047576 0 32768 0.4 1.6 0.1 0.4
gpt-4-1-nano 1047576 0 32768 0.1 0.4 0.03 0.1
gpt-4-32k 32768 0 32768 60 120 60 60
gpt-4-turbo 128000 0 4096 10 30 10 10
gpt-4-turbo-vision 128000 0 4096 10 30 10 10
gpt-4o 128000 0 16384 2.5 10 1.25 2.5
gpt-4o-mini 128000 0 16384 0.15 0.6 0.08 0.15
gpt-5 400000 0 128000 1.25 10 0.13 1.25
gpt-5-chat 400000 0 128000 1.25 10 1.25 1.25
gpt-5-mini 400000 0 128000 0.25 2 0.03 0.25
gpt-5-nano 400000 0 128000 0.05 0.4 0.01 0.05
gpt-oss-120b 131072 0 32768 0.25 0.69 0.25 0.25
gpt-oss-20b 131072 0 65536 0.05 0.2 0.05 0.05
grok-2 131072 0 8192 2 10 2 2
grok-2-1212 131072 0 8192 2 10 2 2
grok-2-vision 8192 0 4096 2 10 2 2
grok-2-vision-1212 8192 0 4096 2 10 2 2
grok-3 131072 0 8192 3 15 0.75 3
grok-3-beta 131072 0 8192 3 15 0.75 15
grok-3-fast 131072 0 8192 5 25 1.25 5
grok-3-mini 131072 0 8192 0.3 0.5 0.075 0.3
grok-3-mini-beta 131072 0 8192 0.3 0.5 0.075 0.5
grok-3-mini-fast 131072 0 8192 0.6 4 0.15 0.6
grok-4 256000 0 64000 3 15 0.75 3
grok-beta 131072 0 4096 5 15 5 5
grok-code 256000 0 32000
grok-code-fast-1 256000 0 10000
grok-vision-beta 8192 0 4096 5 15 5 5
groq-llama-4-maverick-17b-128e-instruct 128000 0 4096
hermes-2-pro-mistral-7b 24000 0 24000
hermes-4-405b 131072 0 131072 1 3 1 1
hermes-4-70b 131072 0 131072 0.13 0.4 0.13 0.13
horizon-alpha 256000 0 128000
horizon-beta 256000 0 128000
jais-30b-chat 8192 0 2048
kimi-dev-72b 131072 0 131072 0.06664 0.266688 0.06664 0.06664
kimi-k2 262144 0 262144 0.6 2.5 0.6 0.6
kimi-k2-0711 131072 0 16384 0.6 2.5 0.15 0.6
kimi-k2-0905 262144 0 262144 0.6 2.5 0.15 0.6
kimi-k2-instruct 131072 0 32768 0.5 2 0.5 0.5
kimi-k2-instruct-0905 262144 0 262144 0.6 2.5 0.6 0.6
kimi-k2-instruct-75k 75000 0 75000 0.15 0.59 0.15 0.15
kimi-k2-turbo 262144 0 262144 2.4 10 0.6 2.4
kimi-vl-a3b-thinking 131072 0 131072 0.02499 0.100008 0.02499 0.02499
llama-2-13b-chat-awq 4096 0 4096
llama-2-7b-chat-fp16 4096 0 4096 0.56 6.67 0.56 0.56
llama-2-7b-chat-hf-lora 8192 0 8192
llama-2-7b-chat-int8 8192 0 8192
llama-3-1-405b 65536 0 8192 1.5 6 1.5 1.5
llama-3-1-405b-instruct 128000 0 32768 3 3 3 3
llama-3-1-70b-instruct 128000 0 32768 0.9 0.9 0.9 0.9
llama-3-1-8b-instant 131072 0 8192 0.05 0.08 0.05 0.05
llama-3-1-8b-instruct 128000 0 32768 0.2 0.2 0.2 0.2
llama-3-1-8b-instruct-awq 8192 0 8192 0.12 0.27 0.12 0.12
llama-3-1-8b-instruct-fast 128000 0 128000
llama-3-1-8b-instruct-fp8 32000 0 32000 0.15 0.29 0.15 0.15
llama-3-1-nemotron-ultra-253b 131072 0 8192
llama-3-2-11b-vision-instruct 131072 0 8192
llama-3-2-1b-instruct 60000 0 60000 0.027 0.2 0.027 0.027
llama-3-2-3b 131072 0 8192 0.15 0.6 0.15 0.15
llama-3-2-3b-instruct 128000 0 128000 0.051 0.34 0.051 0.051
llama-3-2-90b-vision-instruct 128000 0 8192
llama-3-3-70b 128000 0 4096
llama-3-3-70b-instruct 128000 0 4096
llama-3-3-70b-instruct-fp8-fast 24000 0 24000 0.29 2.25 0.29 0.29
llama-3-3-70b-instruct-turbo 131072 0 66536 0.88 0.88 0.88 0.88
llama-3-3-70b-versatile 131072 0 32768 0.59 0.79 0.59 0.59
llama-3-3-8b-instruct 128000 0 4096
llama-3-3-nemotron-super-49b-v1-5 131072 0 8192
llama-3-8b-instruct 7968 0 7968 0.28 0.83 0.28 0.28
llama-3-8b-instruct-awq 8192 0 8192 0.12 0.27 0.12 0.12
llama-4-maverick 128000 0 4096
llama-4-maverick-17b-128e-instruct 131072 0 8192 0.2 0.6 0.2 0.2
llama-4-maverick-17b-128e-instruct-fp8 128000 0 4096
llama-4-scout 128000 0 4096
llama-4-scout-17b-16e-instruct 328000 0 4096 0.15 0.6 0.15 0.15
llama-4-scout-17b-16e-instruct-fp8 128000 0 4096
llama-guard-3-8b 8192 0 8192 0.2 0.2 0.2 0.2
llama-guard-4-12b 131072 0 128 0.2 0.2 0.2 0.2
llama3-1-70b-instruct 128000 0 4096 0.72 0.72 0.72 0.72
llama3-1-8b-instruct 128000 0 4096 0.22 0.22 0.22 0.22
llama3-2-11b-instruct 128000 0 4096 0.16 0.16 0.16 0.16
llama3-2-1b-instruct 131000 0 4096 0.1 0.1 0.1 0.1
llama3-2-3b-instruct 131000 0 4096 0.15 0.15 0.15 0.15
llama3-2-90b-instruct 128000 0 4096 0.72 0.72 0.72 0.72
llama3-3-70b-instruct 128000 0 4096 0.72 0.72 0.72 0.72
llama3-70b-8192 8192 0 8192 0.59 0.79 0.59 0.59
llama3-70b-instruct 8192 0 2048 2.65 3.5 2.65 2.65
llama3-8b-8192 8192 0 8192 0.05 0.08 0.05 0.05
llama3-8b-instruct 8192 0 2048 0.3 0.6 0.3 0.3
llama4-maverick-17b-instruct 1000000 0 16384 0.24 0.97 0.24 0.24
llama4-scout-17b-instruct 3500000 0 16384 0.17 0.66 0.17 0.17
llamaguard-7b-awq 4096 0 4096
longcat-flash-chat-fp8 131072 0 131072 0.25 1 0.25 0.25
magistral-medium 128000 0 16384 2 5 2 2
magistral-small 128000 0 128000 0.5 1.5 0.5 0.5
mai-ds-r1 163840 0 163840
mercury 128000 0 16384 0.25 1 0.25 1
mercury-coder 128000 0 16384 0.25 1 0.25 1
meta-llama-3-1-405b-instruct 128000 0 32768
meta-llama-3-1-70b-instruct 128000 0 32768
meta-llama-3-1-8b-instruct 128000 0 32768
meta-llama-3-70b-instruct 8192 0 2048
meta-llama-3-8b-instruct 8192 0 2048
ministral-3b 128000 0 128000 0.04 0.04 0.04 0.04
ministral-8b 128000 0 128000 0.1 0.1 0.1 0.1
mistral-31-24b 131072 0 8192 0.5 2 0.5 0.5
mistral-7b-instruct 32768 0 32768
mistral-7b-instruct-v0-1 2824 0 2824 0.11 0.19 0.11 0.11
mistral-7b-instruct-v0-1-awq 4096 0 4096
mistral-7b-instruct-v0-2 3072 0 3072
mistral-7b-instruct-v0-2-lora 15000 0 15000
mistral-large 131072 0 16384 2 6 2 2
mistral-large-2411 128000 0 32768
mistral-medium 128000 0 16384 0.4 2 0.4 0.4
mistral-medium-2505 131072 0 131072 0.4 2 0.4 0.4
mistral-medium-2508 262144 0 262144 0.4 2 0.4 0.4
mistral-medium-3 131072 0 131072 0.4 2 0.4 0.4
mistral-medium-3-1 262144 0 262144 0.4 2 0.4 0.4
mistral-nemo 128000 0 128000 0.15 0.15 0.15 0.15
mistral-nemo-12b-instruct 16000 0 4096 0.038 0.1 0.038 0.038
mistral-saba-24b 32768 0 32768 0.79 0.79 0.79 0.79
mistral-small 128000 0 16384 0.1 0.3 0.1 0.1
mistral-small-2503 128000 0 32768
mistral-small-3-1-24b-instruct 128000 0 128000 0.35 0.56 0.35 0.35
mistral-small-3-1-24b-instruct-2503 128000 0 8192
mistral-small-3-2-24b-instruct 96000 0 96000
mistral-small-3-2-24b-instruct-2506 131072 0 131072 0.02 0.08 0.02 0.02
mixtral-8x22b-instruct 64000 0 64000 2 6 2 2
morph-v3-fast 16000 0 16000 0.8 1.2 0.8 0.8
morph-v3-large 32000 0 32000 0.9 1.9 0.9 0.9
neural-chat-7b-v3-1-awq 4096 0 4096
nova-lite 300000 0 8192 0.06 0.24 0.015 0.06
nova-micro 128000 0 8192 0.035 0.14 0.00875 0.035
nova-premier 1000000 0 16384 2.5 12.5 2.5 2.5
nova-pro 300000 0 8192 0.8 3.2 0.2 0.8
o1 200000 0 100000 15 60 7.5 15
o1-mini 128000 0 65536 1.1 4.4 0.55 1.1
o1-pro 200000 0 100000 150 600 150 150
o3 200000 0 100000 2 8 0.5 2
o3-deep-research 200000 0 100000 10 40 2.5 10
o3-mini 200000 0 100000 1.1 4.4 0.55 1.1
o3-pro 200000 0 100000 20 80 20 20
o4-mini 200000 0 100000 1.1 4.4 0.28 1.1
o4-mini-deep-research 200000 0 100000 2 8 0.5 2
open-mistral-7b 8000 0 8000 0.25 0.25 0.25 0.25
open-mixtral-8x22b 64000 0 64000 2 6 2 2
open-mixtral-8x7b 32000 0 32000 0.7 0.7 0.7 0.7
openchat-3-5-0106 8192 0 8192
openhermes-2-5-mistral-7b-awq 4096 0 4096
osmosis-structure-0-6b 4000 0 2048 0.1 0.5 0.1 0.1
phi-2 2048 0 2048
phi-3-5-mini-instruct 128000 0 4096
phi-3-5-moe-instruct 128000 0 4096
phi-3-5-vision-instruct 128000 0 4096
phi-3-medium-128k-instruct 128000 0 4096
phi-3-medium-4k-instruct 4096 0 1024
phi-3-mini-128k-instruct 128000 0 4096
phi-3-mini-4k-instruct 4096 0 1024
phi-3-small-128k-instruct 128000 0 4096
phi-3-small-8k-instruct 8192 0 2048
phi-4 16000 0 4096
phi-4-mini-instruct 128000 0 4096
phi-4-mini-reasoning 128000 0 4096
phi-4-multimodal-instruct 131072 0 8192
phi-4-reasoning 128000 0 4096
pixtral-12b 128000 0 128000 0.15 0.15 0.15 0.15
pixtral-large 128000 0 128000 2 6 2 2
qwen-2-5-7b-vision-instruct 125000 0 4096 0.2 0.2 0.2 0.2
qwen-2-5-coder-32b 32768 0 8192 0.5 2 0.5 0.5
qwen-2-5-coder-32b-instruct 32768 0 8192
qwen-2-5-qwq-32b 32768 0 8192 0.5 2 0.5 0.5
qwen-2-5-vl 32768 0 8192 0.7 2.8 0.7 0.7
qwen-3-235b-a22b-instruct-2507 131000 0 32000 0.6 1.2 0.6 0.6
qwen-3-coder-480b 131000 0 32000 2 2 2 2
qwen-qwq-32b 131072 0 16384 0.29 0.39 0.29 0.29
qwen1-5-0-5b-chat 32000 0 32000
qwen1-5-1-8b-chat 32000 0 32000
qwen1-5-14b-chat-awq 7500 0 7500
qwen1-5-7b-chat-awq 20000 0 20000
qwen2-5-coder-32b-instruct 32768 0 32768 0.66 1 0.66 0.66
qwen2-5-vl-32b-instruct 8192 0 8192
qwen2-5-vl-72b-instruct 32768 0 8192
qwen3-14b 40960 0 40960
qwen3-235b 131072 0 8192 1.5 6 1.5 1.5
qwen3-235b-a22b 131072 0 8192
qwen3-235b-a22b-07-25 262144 0 131072
qwen3-235b-a22b-instruct-2507 262144 0 131072 0.078 0.312 0.078 0.078
qwen3-235b-a22b-thinking-2507 262144 0 262144 0.078 0.312 0.078 0.078
qwen3-30b-a3b 40960 0 40960 0.02 0.08 0.02 0.02
qwen3-30b-a3b-2507 262144 0 16384
qwen3-30b-a3b-instruct-2507 262144 0 262144 0.05 0.2 0.05 0.05
qwen3-30b-a3b-thinking-2507 262144 0 32768
qwen3-32b 131072 0 16384 0.29 0.59 0.29 0.29
qwen3-4b 32768 0 8192 0.15 0.6 0.15 0.15
qwen3-8b 40960 0 40960
qwen3-coder 262144 0 66536 0.3 1.2 0.3 0.3
qwen3-coder-30b 262144 0 65536
qwen3-coder-30b-a3b-instruct 262144 0 262144
qwen3-coder-480b-a35b-instruct 262144 0 66536 0.38 1.53 0.38 0.38
qwen3-coder-480b-a35b-instruct-fp8 262144 0 262144 0.2 0.8 0.2 0.2
qwen3-coder-480b-a35b-instruct-turbo 262144 0 66536 0.3 1.2 0.3 0.3
qwen3-coder-plus 1048576 0 65536 1 5 1 1
qwen3-embedding-4b 32000 0 2048
qwen3-max 262144 0 32768 1.2 6 1.2 1.2
qwen3-next-80b-a3b-instruct 262144 0 262144 0.14 1.4 0.14 0.14
qwerky-72b 32768 0 8192
qwq-32b 32768 0 32768
r1 128000 0 32768 1.35 5.4 1.35 1.35
reka-flash-3 32768 0 8192
sarvam-m 32768 0 32768
solar-mini 32768 0 4096 0.15 0.15 0.15 0.15
solar-pro2 65536 0 8192 0.25 0.25 0.25 0.25
sonar 128000 0 4096 1 1 1 1
sonar-pro 200000 0 8192 3 15 3 3
sonar-reasoning 128000 0 4096 1 5 1 1
sonar-reasoning-pro 128000 0 4096 2 8 2 2
sonoma-dusk-alpha 2000000 0 2000000
sonoma-sky-alpha 2000000 0 2000000
sqlcoder-7b-2 10000 0 10000
starling-lm-7b-beta 4096 0 4096
tinyllama-1-1b-chat-v1-0 2048 0 2048
una-cybertron-7b-v2-bf16 15000 0 15000
v0-1-0-md 128000 0 32000 3 15 3 3
v0-1-5-lg 512000 0 32000 15 75 15 15
v0-1-5-md 128000 0 32000 3 15 3 3
venice-uncensored 32768 0 8192 0.5 2 0.5 0.5
zephyr-7b-beta-awq 4096 0 4096`;
