import { Argument, Command, Help } from 'commander';
import { addExamples } from '../help.ts';
import type { Terminal } from '../output/terminal.ts';

interface Place {
  /** `/users/create`; the root is "". */
  path: string;
  commands: { name: string; about: string }[];
  options: { name: string; about: string; takesValue: boolean }[];
  /** The script asks chatctl for argument values. A command may have both: `members` and `members add`. */
  takesArguments: boolean;
}

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function completionCommand(program: Command, terminal: Terminal): Command {
  const command = new Command('completion')
    .summary('Print a completion script for your shell')
    .description(
      'Print a completion script for your shell. For bash, add `source <(chatctl completion bash)` to ~/.bashrc.',
    );
  return addExamples(command, [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    'completion zsh > "${fpath[1]}/_chatctl"',
    'completion fish > ~/.config/fish/completions/chatctl.fish',
  ])
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => terminal.out(SHELLS[shell](placesOf(program))));
}

/** Called by the scripts for values, with `--` and the words so far. The last word is incomplete. */
export function valuesCommand(program: Command, terminal: Terminal): Command {
  return new Command('__complete').argument('<words...>').action(async (words: string[]) => {
    const { completionOf } = await import('../completion.ts');
    const found = await completionOf(program, words);
    if (typeof found === 'string') terminal.out(`:${found}`);
    else for (const { value, about } of found) terminal.out(about ? `${value}\t${about}` : value);
  });
}

function placesOf(command: Command, path = ''): Place[] {
  const help = command.createHelp();
  const place: Place = {
    path,
    takesArguments: command.registeredArguments.length > 0 || command.commands.length === 0,
    commands: help.visibleCommands(command).flatMap((child) => {
      const about = child.summary() || firstLine(child.description());
      return wordsOf(child).map((name) => ({ name, about }));
    }),
    // Help itself shows one line for all options of the connection.
    options: Help.prototype.visibleOptions
      .call(help, command)
      .flatMap(({ long, description, required }) =>
        long ? [{ name: long, about: firstLine(description), takesValue: required }] : [],
      ),
  };
  const below = (child: Command) => wordsOf(child).flatMap((word) => placesOf(child, `${path}/${word}`));
  return [place, ...command.commands.flatMap(below)];
}

const wordsOf = (command: Command) => [command.name(), ...command.aliases()];

const asking = (takesArguments: boolean) => (takesArguments ? '; asks=1' : '');

const firstLine = (text: string) => (text.split('\n')[0] as string).replace(/\.$/, '');
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function bashScript(places: readonly Place[]): string {
  return `# bash completion for chatctl
_chatctl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path= words= word asks=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path/$word" in
      ${paths(places)}) path="$path/$word" ;;
    esac
  done
  case "$path" in
${places.map(({ path, commands, options, takesArguments }) => `    ${quoted(path)}) words=${quoted([...commands, ...options].map(({ name }) => name).join(' '))}${asking(takesArguments)} ;;`).join('\n')}
  esac
  local all=() last= count=0
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash splits words at colons and equals signs.
    if [[ $word == [:=] || $last == [:=] ]] && ((count)); then all[count-1]+=$word; else all[count++]=$word; fi
    last=$word
  done
  local whole= before=
  if ((count)); then whole=\${all[count-1]}; fi
  if ((count > 1)); then before=\${all[count-2]}; fi
  if [[ $whole != -* && ( -n $asks || $before == --* ) || $whole == --*=* ]]; then
    local quote= plain=$whole line value
    if [[ $whole == [\\"\\']* ]]; then quote=\${whole:0:1}; plain=\${whole:1}; else plain=\${plain//\\\\/}; fi
    all[count-1]=$plain
    local lines=()
    while IFS= read -r line; do lines+=("$line"); done < <("\${COMP_WORDS[0]}" __complete -- "\${all[@]}" 2>/dev/null)
    if [[ \${lines[0]-} == :commands ]]; then :
    elif [[ \${lines[0]-} == :files ]]; then return
    else
      compopt +o default 2>/dev/null
      local cut=\${plain%"\${plain##*[:=]}"}
      for line in "\${lines[@]}"; do
        value=\${line%%$'\\t'*}
        value=\${value#"$cut"}
        # Skip values with characters that the shell expands: other users choose the names.
        if [[ $quote == \\" && $value == *[\\"\\\\\\$\\\`!]* || $quote == \\' && $value == *\\'* ]]; then continue; fi
        if [[ -z $quote ]]; then printf -v value %q "$value"; fi
        COMPREPLY+=("$value")
      done
      return
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _chatctl chatctl`;
}

function zshScript(places: readonly Place[]): string {
  const described = (each: { name: string; about: string }) =>
    quoted(`${each.name}:${each.about.replaceAll(':', '\\:')}`);
  return `#compdef chatctl
_chatctl() {
  local chat_path= word asks=
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$chat_path/$word" in
      ${paths(places)}) chat_path="$chat_path/$word" ;;
    esac
  done
  case "$chat_path" in
${places
  .map(
    ({ path, commands, options, takesArguments }) =>
      `    ${quoted(path)}) commands=(${commands.map(described).join(' ')}); options=(${options.map(described).join(' ')})${asking(takesArguments)} ;;`,
  )
  .join('\n')}
  esac
  if [[ $PREFIX != -* && ( -n $asks || \${words[CURRENT-1]} == --* ) || $PREFIX == --*=* ]]; then
    local answer
    local -a answers values shown
    answers=("\${(@f)$("\${(Q)words[1]}" __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
    if [[ \${answers[1]} == :files ]]; then _files; return; fi
    if [[ \${answers[1]} != :commands ]]; then
      for answer in "\${(@)answers}"; do
        [[ -n $answer ]] || continue
        values+=("\${answer%%$'\\t'*}")
        shown+=("\${answer/$'\\t'/  -- }")
      done
      compadd -l -d shown -a values
      return
    fi
  fi
  if [[ $PREFIX == -* ]]; then _describe option options
  else _describe command commands; fi
}
if [ "$funcstack[1]" = _chatctl ]; then _chatctl; else compdef _chatctl chatctl; fi`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, takesArguments }) => {
    const here = `complete -c chatctl -n '__chatctl_at ${path || '/'}'`;
    return [
      ...commands.map(({ name, about }) => `${here} -f -a ${name} -d ${fishQuoted(about)}`),
      ...options.map(
        ({ name, about, takesValue }) =>
          `${here} -l ${name.slice(2)}${takesValue ? " -x -a '(__chatctl_values)'" : ''} -d ${fishQuoted(about)}`,
      ),
      ...(takesArguments ? [`${here} -f -a '(__chatctl_values)'`] : []),
    ];
  });
  return `# fish completion for chatctl
function __chatctl_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    switch $path/$word
      case ${paths(places).split('|').join(' ')}
        set path $path/$word
    end
  end
  test "$path" = (string trim -r -c / -- $argv[1])
end
function __chatctl_values
  set -l all (commandline -opc)
  set -l word (commandline -ct | string unescape)
  if string match -qr -- '^--[^=]+=' $word
    set -a all (string replace -r -- '=.*' '' $word)
    set word (string replace -r -- '^[^=]*=' '' $word)
  end
  set -l answers ($all[1] __complete -- $all[2..-1] "$word" 2>/dev/null)
  switch "$answers[1]"
    case :files
      __fish_complete_path "$word"
    case :commands
    case '*'
      printf '%s\\n' $answers
  end
end
${lines.join('\n')}`;
}

const fishQuoted = (text: string) => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;

const paths = (places: readonly Place[]) => places.flatMap(({ path }) => path || []).join('|');
