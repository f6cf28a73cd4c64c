/** The descriptions of a field, read from its symbol, since inferred types do not have them. */
import ts from 'typescript';
import * as v from 'valibot';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { GLOSSARY } from './field-glossary.ts';

/** Operations whose parameters are settings. Responses and events have them under the same names. */
const SETTINGS: readonly string[] = ['channels.create', 'userGroups.create', 'settings.edit', 'organization.edit'];

const inSettings = new Map<string, string>();
for (const operation of catalogue as readonly Operation[]) {
  if (!SETTINGS.includes(operation.name)) continue;
  for (const [name, schema] of Object.entries(operation.params)) {
    const said = schemaDescription(schema);
    if (said === undefined) continue;
    if (!inSettings.has(name)) inSettings.set(name, said);
    if (operation.name === 'organization.edit') inSettings.set(`realm_${name}`, said);
  }
}

/** The description of a parameter. That of an optional one may be inside. */
export function schemaDescription(schema: v.GenericSchema): string | undefined {
  const inner = (schema as { wrapped?: v.GenericSchema }).wrapped;
  return v.getDescription(schema as never) ?? (inner && schemaDescription(inner));
}

/**
 * The text for a field: from its declaration, from the setting with this name, or from the glossary.
 *
 * @throws Error if there is none
 */
export function fieldDescription(checker: ts.TypeChecker, property: ts.Symbol): string {
  const { name, declarations = [] } = property;
  const said =
    declaredDescription(checker, property) ??
    // Settings are declared as lists of names.
    (declarations.length === 0 ? inSettings.get(name) : undefined) ??
    (Object.hasOwn(GLOSSARY, name) ? GLOSSARY[name] : undefined) ??
    (name.startsWith('realm_') ? inSettings.get(name) : undefined);
  if (said !== undefined) return said;
  const places = declarations.map((node) => node.getSourceFile().fileName).join(', ');
  throw new Error(`The field ${name} has no description. Describe it where it is declared: ${places}`);
}

/** Schemas around another one. The description of the inner one is that of the field. */
const WRAPPERS: ReadonlySet<string> = new Set(['optional', 'nullable', 'nullish', 'undefinedable', 'pipe']);

/** Functions of `lib/base/schemas.ts` that take a description, and which argument it is. */
const DESCRIPTION_ARGUMENT = new Map([
  ['describe', 1],
  ['optional', 1],
  ['secret', 1],
  ['trueByDefault', 0],
  ['falseByDefault', 0],
]);

/** The description in the declaration. Undefined if it has none. */
export function declaredDescription(checker: ts.TypeChecker, property: ts.Symbol): string | undefined {
  const documented = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll('\n', ' ').trim();
  if (documented !== '') return documented;
  for (const node of property.declarations ?? []) {
    const said = ofDeclaration(checker, node);
    if (said !== undefined) return said;
  }
  return undefined;
}

function ofDeclaration(checker: ts.TypeChecker, node: ts.Node): string | undefined {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node))
    return node.initializer && ofSchema(checker, node.initializer);
  if (ts.isShorthandPropertyAssignment(node)) return ofSymbol(checker, checker.getShorthandAssignmentValueSymbol(node));
  return undefined;
}

function ofSymbol(checker: ts.TypeChecker, symbol: ts.Symbol | undefined): string | undefined {
  if (!symbol) return undefined;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  for (const node of target.declarations ?? []) {
    const said = ofDeclaration(checker, node);
    if (said !== undefined) return said;
  }
  return undefined;
}

function ofSchema(checker: ts.TypeChecker, node: ts.Expression): string | undefined {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return ofSchema(checker, node.expression);
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node))
    return ofSymbol(checker, checker.getSymbolAtLocation(node));
  if (!ts.isCallExpression(node)) return undefined;
  const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  if (!ts.isIdentifier(callee)) return undefined;
  const [first] = node.arguments;
  const position = ts.isIdentifier(node.expression) ? DESCRIPTION_ARGUMENT.get(callee.text) : undefined;
  const description = position === undefined ? undefined : node.arguments[position];
  if (description) return textOf(checker, description);
  if (callee.text === 'description' && first) return textOf(checker, first);
  if (!WRAPPERS.has(callee.text)) return undefined;
  for (const part of [...(callee.text === 'pipe' ? node.arguments : node.arguments.slice(0, 1))].reverse()) {
    const said = ofSchema(checker, part);
    if (said !== undefined) return said;
  }
  return undefined;
}

/** A text in the source, with the values of constants. */
function textOf(checker: ts.TypeChecker, node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => constantOf(checker, expression) + literal.text).join('')
    );
  return constantOf(checker, node);
}

function constantOf(checker: ts.TypeChecker, node: ts.Expression): string {
  const type = checker.getTypeAtLocation(node);
  if (type.isStringLiteral() || type.isNumberLiteral()) return String(type.value);
  throw new Error(`A description in ${node.getSourceFile().fileName} has no constant value: ${node.getText()}`);
}
