import ts from 'typescript';

/** Interfaces whose members are operations, events and parts of the state, by name. Their members are not fields. */
const REGISTRIES: readonly string[] = ['Operations', 'States'];

/** Fields in a declaration file without a comment, as `line: name`, and the number of fields with one. */
export function undescribedFields(text: string): { undescribed: string[]; described: number } {
  const file = ts.createSourceFile('types.d.ts', text, ts.ScriptTarget.Latest, true);
  const undescribed: string[] = [];
  let described = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && !isRegistered(node)) {
      if (ts.getJSDocCommentsAndTags(node).length > 0) described++;
      else undescribed.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.name.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { undescribed, described };
}

function isRegistered({ parent }: ts.PropertySignature): boolean {
  return ts.isInterfaceDeclaration(parent) && REGISTRIES.includes(parent.name.text);
}
