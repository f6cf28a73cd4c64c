import { Argument, Command } from 'commander';
import { addExamples } from '../help.ts';
import type { Terminal } from '../output/terminal.ts';
import { oneLine } from '../output/text.ts';

// Each script sends the words so far to `chatctl __complete`. @bomb.sh/tab has such scripts too, but those for bash run
// the names of channels as shell code.

const BASH = `# bash completion for chatctl
_chatctl() {
  local all=() last= count=0 quote= word line value
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash splits words at colons and equals signs.
    if [[ $word == [:=] || $last == [:=] ]] && ((count)); then all[count-1]+=$word; else all[count++]=$word; fi
    last=$word
  done
  local plain=\${all[count-1]}
  if [[ $plain == [\\"\\']* ]]; then quote=\${plain:0:1}; plain=\${plain:1}; else plain=\${plain//\\\\/}; fi
  all[count-1]=$plain
  local cut=\${plain%"\${plain##*[:=]}"}
  COMPREPLY=()
  compopt +o default 2>/dev/null
  while IFS= read -r line; do
    if [[ $line == :files ]]; then compopt -o default 2>/dev/null; return; fi
    value=\${line%%$'\\t'*}
    value=\${value#"$cut"}
    # Skip values with characters that the shell expands: other users choose the names.
    if [[ $quote == \\" && $value == *[\\"\\\\\\$\\\`!]* || $quote == \\' && $value == *\\'* ]]; then continue; fi
    if [[ -z $quote ]]; then printf -v value %q "$value"; fi
    COMPREPLY+=("$value")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${all[@]}" 2>/dev/null)
}
complete -o default -F _chatctl chatctl`;

const ZSH = `#compdef chatctl
_chatctl() {
  local answer
  local -a answers values shown
  answers=("\${(@f)$("\${(Q)words[1]}" __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ \${answers[1]} == :files ]]; then _files; return; fi
  for answer in "\${(@)answers}"; do
    [[ -n $answer ]] || continue
    values+=("\${answer%%$'\\t'*}")
    shown+=("\${answer/$'\\t'/  -- }")
  done
  compadd -l -d shown -a values
}
if [ "$funcstack[1]" = _chatctl ]; then _chatctl; else compdef _chatctl chatctl; fi`;

const FISH = `# fish completion for chatctl
function __chatctl_complete
  set -l all (commandline -opc)
  set -l word (commandline -ct | string unescape)
  set -l answers ($all[1] __complete -- $all[2..-1] "$word" 2>/dev/null)
  if test "$answers[1]" = :files
    set -l flag (string match -r -- '^--[^=]+=' $word)
    for path in (__fish_complete_path (string replace -- "$flag" '' $word))
      echo "$flag$path"
    end
  else
    printf '%s\\n' $answers
  end
end
complete -c chatctl -f -a '(__chatctl_complete)'`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };

export function completionCommand(terminal: Terminal): Command {
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
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => terminal.out(SCRIPTS[shell]));
}

/** Called by the scripts, with `--` and the words so far. The last word is incomplete. */
export function valuesCommand(program: Command, terminal: Terminal): Command {
  return new Command('__complete').argument('<words...>').action(async (words: string[]) => {
    const { completionOf } = await import('../completion.ts');
    const found = await completionOf(program, words);
    if (typeof found === 'string') terminal.out(`:${found}`);
    else for (const { value, about = '' } of found) terminal.out(`${oneLine(value)}\t${oneLine(about)}`.trimEnd());
  });
}
