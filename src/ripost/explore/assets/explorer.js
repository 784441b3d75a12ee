function $(r){let t=[];for(let[e,n]of[...r].sort((s,i)=>s[0]-i[0]||s[1]-i[1])){let s=t[t.length-1];s&&e<=s[1]?s[1]=Math.max(s[1],n):t.push([e,n])}return t}function R(r,t){
let e=[],n=0,s=0;for(;n<r.length&&s<t.length;){let i=Math.max(r[n][0],t[s][0]),o=Math.min(r[n][1],t[s][1]);i<o&&e.push([i,o]),r[n][1]<t[s][1]?n+=1:s+=1}return e}
function pt(r){return r.reduce((t,[e,n])=>t+n-e,0)}function oe(r,t){let e=[],n=0;for(let[s,i]of $(r))s>n&&e.push([n,Math.min(s,t)]),n=Math.max(n,i);return n<t&&
e.push([n,t]),e}var cr=new WeakMap;function pr(r){let t=cr.get(r)??[r];return cr.set(r,t),t}var mr=new WeakMap;function dr(r,t){if(!t)return r;let e=mr.get(r)??
new WeakMap;mr.set(r,e);let n=e.get(t)??R(r,t);return e.set(t,n),n}function Gt(r,t){return!r||!t?r===t:r.length===t.length&&r.every(([e,n],s)=>e===t[s][0]&&n===
t[s][1])}var z=864e5,xt=/^\s*\d{4}-\d\d-\d\d\s*$/,d=class extends Error{};function dt(r,t,e,{after:n=!1,before:s=!1}={}){if(!r.ordered)throw new d(`${r.name} has no orde\
r; ask for values, not for a range`);let[i,o]=[t,e].map(c=>c===null?null:wr(r,c));if(i!==null&&o!==null&&i>o)throw new d(`${r.name}: the range is reversed, ${t}\
 is above ${e}`);let a=n?fr(r,t,i):i,l=s?o:fr(r,e,o),u=a===null?r.edge(0):gr(r,a,n),h=l===null?r.edge(r.count):gr(r,l,!s);return[kn(r,u,Math.max(u,h))].filter(([
c,m])=>c<m)}function jt(r,t){if(r.other&&t===r.otherName)return[[r.count,r.count+1]];if(!r.ordered){let s=r.codes.get(r.type==="boolean"?ui(t):t);if(s===void 0)
throw new d(`${r.name} has no value '${t}'; ${li(r)}`);return[[s,s+1]]}if(yr(r,t))return dt(r,t,t);let e=wr(r,t);if(r.step){let s=Math.floor(e/r.step)*r.step;return[
kn(r,s,s+r.step)]}kn(r,e,e);let n=Math.min(Math.floor(r.positionOf(e)),r.count-1);return[[n,n+1]]}function br(r){if(!r.missing)throw new d(`${r.name} has no mis\
sing values: its schema drops them`);return[[r.missingCode,r.missingCode+1]]}function Mn(r,t){return oe(t,r.missingCode)}function wr(r,t){let e=r.parse(t);if(e===
null)throw new d(`${r.name}: cannot read '${t}' as ${r.type}`);return e}function yr({type:r},t){return r==="timestamp"&&xt.test(t)}function fr(r,t,e){return e!==
null&&t!==null&&yr(r,t)?e+z:e}function gr({step:r},t,e){return r?(e?Math.floor(t/r)+1:Math.ceil(t/r))*r:t}function kn(r,t,e){let n=r.edge(0),s=r.edge(r.count);if(t>
s||e<n||r.step&&(t===s||e===n)){let i=`${r.text(n)} to ${r.text(s-r.step)}`;throw new d(`${r.name} lies in ${i}; the range asked is outside`)}return[r.positionOf(
t),r.positionOf(e)]}function li({names:r}){return r.length<=12?`known: ${r.join(", ")}`:`there are ${r.length} to choose from`}function ui(r){let t=r.trim().toLowerCase();
return["false","f","no","n","0"].includes(t)?"false":["true","t","yes","y","1"].includes(t)?"true":t}var hi=500;function T(r,t){return In(r.flatMap(e=>t.flatMap(n=>xr(e,n))))}function Et(r,t){let e=new Map,n=[];for(let o of r){let a=o.length===1?Object.keys(o[0]):
[];a.length===1?e.set(a[0],[...e.get(a[0])??[],...o[0][a[0]]]):n.push(o)}let s=[...e].map(([o,a])=>[{[o]:$(a)}]),i=[];for(let o of[...s,...n])i=In([...i,...At(o,
i,t)]);return Sn(i)}function At(r,t,e){let n=r;for(let s of t)n=In(n.flatMap(i=>ci(i,s,e)));return n}function Sn(r){let t=[];for(let e of r){let n=t.findIndex(s=>vr(
e,s).length===1);if(n<0)t.push(e);else{let[s]=vr(e,t[n]);t[n]={...t[n],[s]:$([...t[n][s],...e[s]])}}}return t}function xr(r,t){let e={...r};for(let[n,s]of Object.
entries(t))if(e[n]=n in r?R(r[n],s):s,e[n].length===0)return[];return[e]}function ci(r,t,e){if(xr(r,t).length===0)return[r];let n=[],s=r;for(let[i,o]of Object.entries(
t)){let a=e[Number(i)],l=s[i]??[[0,a]],u=R(l,oe(o,a));u.length&&n.push({...s,[i]:u}),s={...s,[i]:R(l,o)}}return n}function vr(r,t){let e=Object.keys(r);return String(
e)!==String(Object.keys(t))?["",""]:e.filter(n=>!Gt(r[n],t[n]))}function In(r){if(r.length>hi)throw new d("the conditions fall into too many parts; ask with few\
er ORs");return r}var it=(r,t)=>({length:r,months:0,at:t}),Tn=(r,t,e)=>({length:t*864e5,months:r,at:e}),Z={year:Tn(12,365,r=>r.getUTCFullYear()),quarter:Tn(3,90,r=>Math.floor(r.getUTCMonth()/
3)+1),month:Tn(1,28,r=>r.getUTCMonth()+1),week:it(6048e5,pi),day:it(864e5,r=>r.getUTCDate()),dow:it(864e5,r=>r.getUTCDay()),isodow:it(864e5,r=>r.getUTCDay()||7),
doy:it(864e5,r=>(kt(Z.day,r.getTime())-Date.UTC(r.getUTCFullYear()))/864e5+1),hour:it(36e5,r=>r.getUTCHours()),minute:it(6e4,r=>r.getUTCMinutes()),second:it(1e3,
r=>r.getUTCSeconds())},mi={weekday:"dow",dayofweek:"dow",day_of_week:"dow",dayofmonth:"day",day_of_month:"day",dayofyear:"doy",day_of_year:"doy",dayofweekiso:"i\
sodow",day_of_week_iso:"isodow",weekofyear:"week",week_of_year:"week",years:"year",months:"month",days:"day",hours:"hour"};function ae(r){let t=r.toLowerCase(),
e=mi[t]??t;return Object.hasOwn(Z,e)?Z[e]:void 0}function Er({bins:r}){if(!r.edges)return r.width;let t=Math.max(1,Math.round((r.edges[1]-r.edges[0])/(30.4*864e5)));
return Object.values(Z).find(e=>e.months===t)?.length??30*864e5*t}function pi(r){let t=new Date(kt(Z.week,r.getTime())+2592e5);return Math.floor((t.getTime()-Date.
UTC(t.getUTCFullYear()))/(7*864e5))+1}function kt({months:r,length:t},e){let n=new Date(e);if(r)return Date.UTC(n.getUTCFullYear(),Math.floor(n.getUTCMonth()/r)*
r);let s=t===7*864e5?3456e5:0;return Math.floor((e-s)/t)*t+s}function Nn({months:r,length:t},e){if(!r)return e+t;let n=new Date(e);return Date.UTC(n.getUTCFullYear(),
n.getUTCMonth()+r)}function Ar(r,t,e){let[n,s]=[r.edge(0),r.edge(r.count)];if((s-n)/t.length>1.2*e+2)return null;let i=[kt(t,n)];for(;i[i.length-1]<s;)i.push(Nn(
t,i[i.length-1]));return i}function ft(r,t,e,n=[0,r.count]){let s=Z[t];if((r.tickAt(n[1])-r.tickAt(n[0]))/s.length>1.2*e+2)return null;let i=[],o=r.tickAt(n[1]);
for(let a=kt(s,r.tickAt(n[0]));a<o;){let l=Nn(s,a),[u,h]=[a,l].map(m=>r.positionOf(m)),c=[Math.max(u,n[0]),Math.min(h,n[1])];if(c[0]%1||c[1]%1)return null;c[0]<
c[1]&&i.push(c),a=l}return i.length<=e?i:null}function le(r,[t,e]){let n=Cn(r,[t,e]);return n?fi(n,r.tickAt(t)):r.describeRange(t,e)}function Cn(r,t){let[e,n]=t.
map(o=>r.tickAt(o)),s=o=>Nn(o,e)-n,i=t[1]===r.count?1e3:0;return di.find(o=>{let a=Z[o];return kt(a,e)===e&&s(a)>=0&&s(a)<=i})}function kr(r,t){let e=t.length>2&&
Cn(r,t[1]);if(!e)return"";let n={first:t[0],last:t[t.length-1]},s=Object.entries(n).filter(([,o])=>Cn(r,o)===void 0);return s.length===0?"":`The ${s.map(([o])=>o).
join(" and the ")} bar ${s.length>1?"hold":"holds"} only part of a ${e}.`}var di=["year","quarter","month","week","day","hour"];function fi(r,t){let e=new Date(
t).toISOString();return r==="year"?e.slice(0,4):r==="quarter"?`${e.slice(0,4)} Q${Z.quarter.at(new Date(t))}`:r==="month"?e.slice(0,7):r==="week"?`week of ${e.slice(
0,10)}`:r==="day"?e.slice(0,10):e.slice(0,16).replace("T"," ")}function Mr(r,t,e){let n=t.map(([l])=>r.tickAt(l)),s=n.slice(1),i=l=>s.every(u=>kt(Z[l],u)===u),o=new Date(
r.tickAt(e[0])).toISOString();return i("year")?o.slice(0,4):i("month")?o.slice(0,7):i("day")?o.slice(0,10):(n[n.length-1]-n[0])/864e5<=1?o.slice(11,16):o.slice(
5,16).replace("T"," ")}function*_(r){yield r;for(let t of Object.values(r))for(let e of Array.isArray(t)?t:[t])e?.kind&&(yield*_(e))}var Sr=new WeakMap;function ue(r,t){return Sr.set(
r,t),r}function A(r){return Sr.get(r)??"…"}var he=new RegExp([/(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)/.source,/(?<text>'(?:[^']|'')*')/.source,/(?<quoted>"(?:[^"]|"")*")/.source,/(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.
source,/(?<word>[\p{L}_][\p{L}\p{N}_$]*)/u.source,/(?<sign><=|>=|<>|!=|::|\/\/|[-+*/%=<>(),.;])/.source].join("|"),"uy"),Ir=5e4;function Tr(r){if(r.length>Ir)throw new d(
`the question is too long: ${r.length} characters, at most ${Ir}`);let t=[];for(he.lastIndex=0;he.lastIndex<r.length;){let e=he.lastIndex,n=he.exec(r),s=Object.
entries(n?.groups??{}).find(([,l])=>l!==void 0);if(!s)throw new d(`cannot read the question from ${y(r.slice(e))} on`);let[i,o]=s;if(i==="space")continue;let a=i===
"text"||i==="quoted"?gi(o):o;t.push({kind:i,text:a,raw:o,upper:i==="word"?o.toUpperCase():i==="sign"?o:""})}return[...t,{kind:"end",text:"the end",raw:"",upper:""}]}
function y(r){let t=r.replace(/\s+/g," ");return`"${t.length>40?`${t.slice(0,39)}…`:t}"`}function gi(r){let t=r[0];return r.slice(1,-1).replaceAll(t+t,t)}function ce({name:r,quoted:t,table:e},n){let s=n.byName.get(r);if(s||t||e)return e?void 0:s;let i=n.attributes.filter(o=>o.name.toLowerCase()===r.toLowerCase());
return i.length===1?i[0]:void 0}function P(r,t){if(r.kind!=="column")throw new d(`a condition compares an attribute with a value, not ${y(A(r))}`);let e=ce(r,t);
if(e)return e;let n=t.attributes.map(i=>i.name),s=n.length<=12?`known: ${n.join(", ")}`:`there are ${n.length} to choose from`;throw new d(`the view has no attr\
ibute ${y(A(r))}; ${s}`)}function B(r){return r.kind==="minus"||r.kind==="cast"?B(r.of):r.kind==="number"||r.kind==="text"||r.kind==="boolean"}function F(r){if(r.
kind==="minus"){let{text:t,isText:e}=F(r.of);if(e)throw new d("a text has no sign; compare with a plain value");return{text:t.startsWith("-")?t.slice(1):`-${t}`,
isText:e}}if(r.kind==="cast"){let t=F(r.of);return(r.type.startsWith("TIMESTAMP")||r.type==="DATETIME")&&xt.test(t.text)?{...t,text:`${t.text.trim()}T00:00:00`}:
t}if(r.kind==="number"||r.kind==="text")return{text:r.text,isText:r.kind==="text"};if(r.kind==="boolean")return{text:String(r.value),isText:!1};throw r.kind==="\
null"?new d("nothing equals NULL; ask IS NULL or IS NOT NULL"):r.kind==="column"?new d(`expected a value and found ${y(r.name)}; put text in single quotes, as i\
n 'JFK'`):new d(`${y(A(r))} is not a plain value`)}function V(r){if(!B(r))return null;let{text:t,isText:e}=F(r);return e||t===""||!Number.isFinite(Number(t))?null:
Number(t)}function ot(r,t){return JSON.stringify(r,(e,n)=>{if(n?.kind!=="column")return n;let s=ce(n,t);return s?{attribute:s.name}:{column:n.name,table:n.table}})}var $r=1e5,bi="YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND WEEKDAY DAYOFWEEK ISODOW DOY DAYOFWEEKISO DAYOFMONTH DAYOFYEAR WEEKOFYEAR",wi=/^\s*(\d+)\s*(second|minute|hour|day|week|month|quarter|year)s?\s*$/,
yi="an attribute, width(attribute, 10), FLOOR(attribute / 10) * 10, EXTRACT(month FROM attribute) or DATE_TRUNC('month', attribute)";function Rr(r,t){if(r.kind===
"column")return vi(P(r,t));let e=$n(r,t);if(e)return e;throw r.kind==="case"?new d("cannot group by CASE … END; ask COUNT(*) FILTER (WHERE …) for each of its ca\
ses"):new d(`cannot group by ${y(A(r))}; ask for ${yi}`)}function $n(r,t){if(r.kind==="extract")return On(P(r.of,t),r.part);if(r.kind==="binary"){let s=Cr(r.left,
r.right)??Cr(r.right,r.left);if(r.sign!=="*"||!s)return null;let[i,o,a]=s;if(F(o).text!==F(a).text)throw new d(`cannot group by ${y(A(r))}; divide and multiply \
by the same width`);return Nr(P(i,t),F(a))}if(r.kind!=="call")return null;let[e,n]=r.args;return r.name==="WIDTH"&&r.args.length===2&&B(n)?Nr(P(e,t),F(n)):r.name===
"DATE_TRUNC"&&e?.kind==="text"?Ai(P(n,t),e.text):["DATE_PART","DATEPART"].includes(r.name)&&e?.kind==="text"?On(P(n,t),e.text):bi.split(" ").includes(r.name)&&r.
args.length===1?On(P(e,t),r.name):null}function Cr(r,t){let e=r.kind==="call"&&r.name==="FLOOR",n=e?r.args[0]:r;return n?.kind!=="binary"||n.sign!==(e?"/":"//")||
!B(t)||!B(n.right)?null:[n.left,n.right,t]}function vi(r){Ln(r,r.size);let t=Array.from({length:r.count},(n,s)=>s),e=t.map(n=>r.ordered?r.edge(n):r.names[n]);return Fn(
r,e,t.map(n=>[[n,n+1]]))}function Nr(r,{text:t}){let{name:e}=r;if(r.isCalendar)return xi(r,t);if(!r.ordered)throw new d(`${e} has no order, so it has no bins of\
 a width; group by ${e} itself`);let n=Number(t);if(!(n>0&&n<1e300)||r.type==="integer"&&n%1)throw new d(`the width of bins of ${e} must be a ${r.type} above 0,\
 got ${y(t)}`);let s=Math.floor(r.edge(0)/n),i=Math.ceil(r.edge(r.count)/n)-s;return Ln(r,i),me(r,Array.from({length:i+1},(o,a)=>(s+a)*n))}function xi(r,t){let[
,e,n]=wi.exec(t.toLowerCase())??[],s=ae(n??"");if(!s||!Number(e))throw new d(`${r.name}: a width of dates is a number and a period, such as '2 weeks', got ${y(t)}`);
if(s.months){let[u,h]=[Rn(r,"month"),s.months*Number(e)],c=u.slice(0,-1).filter(m=>Ei(m)%h===0);return me(r,[...new Set([u[0],...c,u[u.length-1]])])}let i=s.length*
Number(e);if(r.type==="date"&&i%z)throw new d(`${r.name} is a date, so its bins last whole days, got ${y(t)}`);let[o,a]=[r.edge(0),r.edge(r.count)],l=Math.ceil(
(a-o)/i);return Ln(r,l),me(r,Array.from({length:l+1},(u,h)=>o+h*i))}function Ei(r){return new Date(r).getUTCFullYear()*12+new Date(r).getUTCMonth()}function Ai(r,t){
return me(r,Rn(r,t))}function On(r,t){let e=Rn(r,t),n=ae(t),s=new Map;for(let o=0;o+1<e.length;o+=1){let a=n.at(new Date(e[o])),[l,u]=[e[o],e[o+1]].map(m=>r.positionOf(
m)),h=s.get(a)??[];s.set(a,h);let c=h[h.length-1];c?.[1]===l?c[1]=u:l<u&&h.push([l,u])}let i=[...s.keys()].filter(o=>s.get(o)?.length).sort((o,a)=>o-a);return Fn(
r,i,i.map(o=>s.get(o)??[]),i.map(String),"number")}function Rn(r,t){let e=ae(t);if(!r.isCalendar)throw new d(`${r.name} is no date, so it has no ${t}; group by ${r.
name} itself`);if(!e)throw new d(`${r.name} has no part ${y(t)}; ask for year, month, week, day or hour`);if(r.type==="date"&&e.length<z)throw new d(`${r.name} \
is a date without a time of day, so it has no ${t}`);if(Er(r)>e.length)throw new d(`the bins of ${r.name} are longer, so its ${t} is not known; ask for a longer\
 period`);let n=Ar(r,e,$r);if(!n)throw new d(`${r.name} has too many such periods; ask for a longer one`);return n}function me(r,t){let e=[];for(let s=0;s+1<t.length;s+=
1){let i=[r.positionOf(t[s]),r.positionOf(t[s+1])];i[0]<i[1]&&e.push([t[s],i])}let n=e.map(([,s])=>r.isCalendar?le(r,s):r.describeRange(...s));return Fn(r,e.map(
([s])=>s),e.map(([,s])=>[s]),n)}function Fn(r,t,e,n,s=Or(r)){let{special:i,other:o,count:a}=r,l=r.ordered&&s===Or(r),u=c=>l?r.text(Number(c)):String(c),h=[...t,
...i.map(c=>o&&c===a?r.otherName:null)];return{attribute:r,kind:o?"string":s,labels:h.map((c,m)=>o&&m<t.length?u(t[m]):c),texts:[...n??t.map((c,m)=>r.describe(m)),
...i.map(c=>r.describe(c))],parts:[...e,...i.map(c=>[[c,c+1]])]}}function Or({type:r,ordered:t,isCalendar:e}){return t?e?r==="date"?"day":"moment":"number":"str\
ing"}function Fr(r,t,e){return{attribute:r,kind:"number",labels:t.map(([n])=>n),texts:e,parts:t.map(n=>[n])}}function Lr({kind:r,attribute:t},{text:e}){if(r==="\
string")return e;let n=r==="number"?Number(e):t.parse(e);if(n===null||!Number.isFinite(n)||e.trim()==="")throw new d(`${t.name} cannot be compared with ${y(e)}`);
return n}function Ln({name:r},t){if(t>$r){let e=t.toLocaleString("en-US");throw new d(`${r} falls into ${e} groups, too many to group by; ask for width(${r}, …)`)}}var Pn=Symbol("any text"),Pr=Symbol("any letter");function Dn({pattern:r,fold:t,escaping:e}){if(r.kind!=="text"||[...e].length>1)throw new d(`write one pattern \
in single quotes after LIKE, such as 'J%', not ${y(A(r))}`);let n=[],s=[...r.text];for(let i=0;i<s.length;i+=1)e&&s[i]===e?n.push(t?(s[++i]??e).toLowerCase():s[++i]??
e):n.push(s[i]==="%"?Pn:s[i]==="_"?Pr:t?s[i].toLowerCase():s[i]);return i=>ki([...t?i.toLowerCase():i],n)}function ki(r,t){let[e,n,s,i]=[0,0,-1,0];for(;e<r.length;)
if(t[n]===Pn)[s,i,n]=[n,e,n+1];else if(n<t.length&&(t[n]===Pr||t[n]===r[e]))[e,n]=[e+1,n+1];else if(s>=0)[i,e,n]=[i+1,i+1,s+1];else return!1;return t.slice(n).every(
o=>o===Pn)}function Dr(r,t,e){let n=Dn(t);if(r.ordered||r.type==="boolean")throw new d(`${r.name} has no listed values, which LIKE needs; compare it with =, <, \
> or BETWEEN`);let s=r.names.map(n);if(!s.includes(!0))throw new d(`${r.name} has no listed value like ${y(A(t.pattern))}`);return $(s.flatMap((i,o)=>i!==e?[[o,
o+1]]:[]))}var X=[{}],Mi={"<":">","<=":">=",">":"<",">=":"<="},Si={"=":"<>","<>":"=","<":">=",">=":"<",">":"<=","<=":">"},pe={"=":(r,t)=>r===t,"<>":(r,t)=>r!==t,"<":(r,t)=>r<
t,"<=":(r,t)=>r<=t,">":(r,t)=>r>t,">=":(r,t)=>r>=t},Ii="ask for conditions joined by AND, OR and NOT, each on one attribute, with =, <>, <, <=, >, >=, BETWEEN, \
IN, LIKE or IS NULL";function Q(r,t,e=!1){if(r===null)return X;if(r.kind==="not")return Q(r.of,t,!e);if(r.kind==="and"||r.kind==="or"){let i=r.parts.map(o=>Q(o,
t,e));return r.kind==="and"!==e?i.reduce((o,a)=>T(o,a)):Et(i,t.sizes)}let[n,s]=Ti(r,t,e);return s.length?[{[n]:s}]:[]}function Ti(r,t,e){if(r.kind==="column"){let a=P(
r,t);if(a.type!=="boolean")throw new d(`${a.name} is no condition by itself; compare it with a value`);return[a.axis,jt(a,String(!e))]}let n=r.kind==="compare"?
Ci(r):r,s=n.kind==="compare"?n.left:"of"in n?n.of:null;if(!s||!["compare","between","in","is null","like"].includes(n.kind))throw new d(`cannot answer ${y(A(r))}\
; ${Ii}`);let i=s.kind==="column"||n.kind==="like"?null:$n(s,t);if(i)return[i.attribute.axis,Oi(i,n,e)];if(s.kind==="call"&&["COUNT","SUM","AVG"].includes(s.name))
throw new d(`WHERE takes attributes; put ${y(A(s))} into HAVING`);let o=P(s,t);return[o.axis,Ni(n,o,e)]}function Ci(r){let{sign:t,left:e,right:n}=r;return B(e)?
{...r,sign:Mi[t]??t,left:n,right:e}:r}function Ni(r,t,e){let n=i=>F(i).text,s=i=>e?Mn(t,i):i;if(r.kind==="compare"){let i=e?Si[r.sign]:r.sign,o=n(r.right);return i===
"="?jt(t,o):i==="<>"?Mn(t,jt(t,o)):i[0]==="<"?dt(t,null,o,{before:i==="<"}):dt(t,o,null,{after:i===">"})}return r.kind==="between"?s(dt(t,n(r.low),n(r.high))):r.
kind==="in"?s($(r.values.flatMap(i=>jt(t,n(i))))):r.kind==="like"?Dr(t,r,e):e?[[0,t.missingCode]]:br(t)}function Oi(r,t,e){let s=$i(t,o=>Lr(r,F(o))),i=r.parts.filter(
(o,a)=>{let l=r.labels[a];return t.kind==="is null"?l===null!==e:l!==null&&s(l)!==e});return $(i.flat())}function $i(r,t){if(r.kind==="compare"){let n=t(r.right);
return s=>pe[r.sign](s,n)}if(r.kind==="between"){let[n,s]=[t(r.low),t(r.high)];return i=>n<=i&&i<=s}let e=r.kind==="in"?r.values.map(t):[];return n=>e.includes(
n)}var _t="COUNT(*), SHARE(*), or AVG, MEDIAN, SUM, MIN, MAX and QUANTILE_CONT of an attribute that has an order",Un={COUNT:"count",COUNT_IF:"countif",COUNTIF:"cou\
ntif",SUM:"sum",AVG:"mean",MEAN:"mean",MIN:"min",MAX:"max",MEDIAN:"quantile",APPROX_MEDIAN:"quantile"},Br="QUANTILE QUANTILE_CONT QUANTILE_DISC APPROX_QUANTILE \
PERCENTILE PERCENTILE_APPROX APPROX_PERCENTILE".split(" "),Hr=["PERCENTILE_CONT","PERCENTILE_DISC"];function Mt(r){for(let t of _(r)){if(t.kind!=="call")continue;
let{name:e}=t;if(Object.hasOwn(Un,e)||Br.includes(e)||Hr.includes(e)||e==="SHARE")return!0}return!1}function Gr(r){let{name:t,args:e}=r,n=Object.hasOwn(Un,t)?Un[t]:
void 0;if(n&&e.length<=1&&!r.sorted)return{what:n,argument:e[0]??null,level:.5};if(Hr.includes(t)&&r.sorted){let s=Ur(e[0]);return{what:"quantile",argument:r.sorted,
level:r.down?1-s:s}}if(Br.includes(t))return{what:"quantile",argument:e[0],level:Ur(e[1])};throw new d(`cannot answer ${y(A(r))}; ask for attributes in GROUP BY\
, or for ${_t}`)}function Ur(r){if(!r)throw new d("a quantile needs a level from 0 to 1; write QUANTILE_CONT(attribute, 0.9)");let t=V(r);if(t===null||!(t>=0&&t<=
1))throw new d(`a quantile is a number from 0 to 1, got ${y(A(r))}`);return t}function St(r){let[t,e]=[1,r];for(;;)if(e.kind==="cast")e=e.of;else if(e.kind==="m\
inus"&&V(e)===null)[t,e]=[-t,e.of];else if(e.kind==="binary"&&e.sign==="*"&&V(e.left)!==null)[t,e]=[t*(V(e.left)??1),e.right];else if(e.kind==="binary"&&e.sign===
"*"&&V(e.right)!==null)[t,e]=[t*(V(e.right)??1),e.left];else if(e.kind==="binary"&&e.sign==="/"&&V(e.right))[t,e]=[t/(V(e.right)??1),e.left];else return[t,e]}var Bn="give its THEN and ELSE one attribute, or one number besides 0 and NULL",Ri=["and","or","not","compare","between","in","is null","like"],It=class r{constructor(t,e,n){
this.expr=t;this.branches=e;this.engine=n}expr;branches;engine;static of(t,e){let n=t;for(;n.kind==="cast";)n=n.of;if(n.kind==="case")return new r(t,Fi(n,e),e);
if(!Ri.includes(n.kind)&&!(n!==t&&n.kind==="column"))return null;let[s,i]=[!1,!0].map(o=>Q(n,e,o));return new r(t,[{value:1,region:s},{value:0,region:i}],e)}get there(){
return this.where(({value:t})=>t!==null)}number(){let t=this.different([0,null]);if(this.columns.length&&t.length===0)return null;if(this.columns.length||t.length>
1||typeof t[0]=="string")throw new d(`cannot answer ${y(A(this.expr))}; ${Bn}`);let e=Number(t[0]??1);return[e,this.where(({value:n})=>n===e)]}column(t){if(new Set(
this.columns.map(({name:n})=>n.toLowerCase())).size!==1||this.different(t?[0,null]:[null]).length)throw new d(`cannot answer ${y(A(this.expr))}; ${t?Bn:"leave o\
ut its ELSE"}`);return[this.columns[0],this.where(({value:n})=>Vt(n))]}get columns(){return this.branches.map(({value:t})=>t).filter(Vt)}different(t){let e=this.
branches.map(({value:n})=>n);return[...new Set(e)].filter(n=>!Vt(n)&&!t.includes(n))}where(t){return Et(this.branches.filter(t).map(({region:e})=>e),this.engine.
sizes)}};function Vt(r){return typeof r=="object"&&r!==null}function Fi({whens:r,thens:t},e){let n=X;return[...r.map((i,o)=>{let a=Q(i,e),l=T(n,a);return n=At(n,
a,e.sizes),{value:jr(t[o]),region:l}}),{value:jr(t[r.length]),region:n}]}function jr(r){if(r.kind==="null")return null;if(r.kind==="column")return r;if(r.kind===
"boolean")return Number(r.value);if(!B(r))throw new d(`cannot answer ${y(A(r))} in CASE; ${Bn}`);let{text:t,isText:e}=F(r);return e?t:Number(t)}function Hn(r){let[t,e,n]=[r(0),r(.5),r(1)],s=2*(t-2*e+n),i=4*e-3*t-n,o=Math.sqrt(Math.max(i**2-4*s*t,0)),a=-(i+(i<0||Object.is(i,-0)?-o:o))/2,l=[a/s,t/a].filter(
h=>h>=0&&h<=1);return[t<=0?0:l.length?Math.min(...l):NaN,n<=0?1:l.length?Math.max(...l):NaN]}function _r(r,t,e,n){let[s,i]=[Math.max(r,0),Math.max(e,0)],[o,a]=Hn(
l=>(s-l*i)**2-t**2-(l*n)**2);return[Number.isNaN(o)?1:o,Number.isNaN(a)?1:a]}function be(r,t,e){let n=new de(r,t,e),s=n.value[0]-n.value[2],[i,o]=[n.stderr,n.reach].map(l=>Math.min(Math.sqrt(Gn(l,[1,0,-1])),l[3]+l[4])),a=n.endless?1/0:o;
return{value:s,stderr:gt(i),low:gt(s-a),high:gt(s+a),note:n.note}}function Vr(r,t,e){let n=new de(r,t,e),[s,i]=n.whole,o=i>0?s/i:NaN,a=Math.sqrt(Gn(n.stderr,[1,
1-o,-o]))/Math.abs(i),[l,u]=n.ratios();n.endless&&([l,u]=[0,1/0]);let[h,c,m]=n.empty;m&&(l=ge(l,1)),h&&(u=fe(u,1)),h&&c&&([l,u]=[0,0]),(n.unknown||c&&m)&&([l,u]=
[NaN,NaN]);let f={low:gt(l),high:gt(u)},g=Number.isNaN(o)?NaN:fe(ge(o,l),u);return{value:gt(g),stderr:gt(a),...f,note:n.note}}var de=class{value;whole;stderr;reach;empty;unknown;endless;note;constructor(t,e,n){
let{sizes:s}=t,[i,o,a]=[At(e,n,s),T(e,n),At(n,e,s)],l=i.length&&a.length?Sn([...i,...a]):[],u=[i,o,a,e,n,l].map(c=>t.answer(c)),h=u.map(c=>t.reachOf(c));this.empty=
[i,o,a].map(c=>c.length===0),this.value=u.slice(0,3).map(c=>c.value),this.whole=u.slice(3,5).map(c=>c.value),this.unknown=h.some(Number.isNaN),this.endless=h.includes(
1/0),this.reach=h.map(c=>c===1/0?0:c),this.stderr=u.map((c,m)=>c.stderr??(h[m]===1/0?0:NaN)),this.note=u.map(c=>c.note??"").find(Boolean)??""}ratios(){let[t,e]=this.
accepted(c=>[1,1-c,-c]),[n,s]=this.accepted(c=>[c,c-1,-1]),[i,o]=[fe(t,1/s),ge(e,1/n)],a=this.whole.map((c,m)=>Math.max(0,c-this.reach[3+m])),l=this.whole.map((c,m)=>Math.
max(0,c)+this.reach[3+m]),u=ge(i,l[1]>0?a[0]/l[1]:0),h=fe(o,a[1]>0?l[0]/a[1]:1/0);return u<=h?[u,h]:[i,o]}accepted(t){return Hn(e=>{let n=t(e);return this.value.
reduce((i,o,a)=>i+n[a]*Math.max(0,o),0)**2-Gn(this.reach,n)})}};function Gn([r,t,e,n,s,i],[o,a,l]){let u=(o*r)**2+(a*t)**2+(l*e)**2,h=[[o*a,n,r,t],[a*l,s,t,e],[
o*l,i,r,e]];for(let[c,m,f,g]of h){let b=Math.min(Math.max((m**2-f**2-g**2)/2,-f*g),f*g);u+=2*c*(c<0?Math.min(b,0):b)}return Math.max(u,0)}function fe(r,t){return Number.
isNaN(r)||t<r?t:r}function ge(r,t){return Number.isNaN(r)||t>r?t:r}function gt(r){return Number.isFinite(r)?r:null}function at(r,t,e,n){let s=n*Math.sqrt(t+e);return Number.isFinite(s)?jn({value:r,stderr:Math.sqrt(t)},s):{..._n(r),reach:s}}function jn(r,t){let{value:e}=r;return{
...r,reach:t,low:Math.max(0,e-t),high:Math.max(0,e)+t}}function we(r){return Math.log(r/.05)/Math.log(1/.05)}function qr(r){let t=e=>Math.log((1-e)/e);return t(
.05/r)/t(.05)}function Kr(r,t){let e=r.stderr>0?t-(r.high-r.low):0;if(!(e>0))return r;let n=Math.max(r.low-e/2,0);return{...r,low:n,high:Math.max(r.high+e/2,n+t)}}
function _n(r){return{value:r,stderr:null,low:null,high:null,reach:NaN}}var tt=class{most;entries=new Map;constructor(t){this.most=Math.max(1,Math.floor(1048576/Math.max(1,t)))}of(t,e){let n=this.entries.get(t);if(n!==void 0)return n;
this.entries.size>=this.most&&this.forgetOldest();let s=e();return this.entries.set(t,s),s}forgetOldest(){let[t]=this.entries.keys();this.entries.delete(t)}};var Wr=1e-12,Yr=new Float64Array(0),lt=class{constructor(t,e,n,s){this.lower=t;this.upper=e;this.which=n;this.mass=s;this.count=t.length,this.shares=new tt(this.
count),this.touches=new tt(this.count),this.prefix=Li(s??Yr),this.start=new Float64Array(this.count),this.stop=new Float64Array(this.count),this.flat=new Uint8Array(
this.count).fill(s?0:1);for(let i=0;i<this.count;i+=1){if(s){if(this.start[i]=this.at(t[i]),this.stop[i]=this.at(e[i]),this.stop[i]>this.start[i])continue;this.
flat[i]=1}this.start[i]=t[i],this.stop[i]=e[i]}}lower;upper;which;mass;count;shares;touches;prefix;start;stop;flat;at(t){let e=this.mass??Yr,n=Math.min(Math.floor(
t),e.length-1);return this.prefix[n]+(t-n)*e[n]}covered(t){return this.shares.of(t,()=>this.coverage(t))}coverage(t){let e=new Float64Array(this.count),n=this.rulers(
t);for(let s=0;s<this.count;s+=1)e[s]=this.ratio(s,n);return e}rulers(t){let e=this.mass&&zr(t,n=>this.at(n));return{intervals:t,begins:t.map(([n])=>n),massive:e,
even:zr(t,n=>n)}}ratio(t,{intervals:e,begins:n,massive:s,even:i}){if(e.length===0)return 0;let o=K(n,this.lower[t]);if(o>=0&&this.upper[t]<=e[o][1])return 1;let a=this.
flat[t]||s===null?i:s,l=Qr(a,o,this.lower[t]),h=(Qr(a,K(n,this.upper[t]),this.upper[t])-l)/(this.stop[t]-this.start[t]);return h>1-Wr?1:h>Wr?h:0}touched(t){return this.
touches.of(t,()=>this.touching(t))}touching(t){let e=new Uint8Array(this.count),n=t.map(([s])=>s);for(let s=0;s<this.count;s+=1){let i=K(n,this.lower[s]);i>=0&&
this.upper[s]<=t[i][1]?e[s]=2:(i>=0&&this.lower[s]<t[i][1]||i+1<n.length&&n[i+1]<this.upper[s])&&(e[s]=1)}return e}spread(t,e=null){let n=new Int32Array(this.count+
1),s=[],i=[],o=t.map(l=>this.rulers(e?R([l],e):[l])),a=t.map(([l])=>l);for(let l=0;l<this.count;l+=1){for(let u=Math.max(0,K(a,this.lower[l]));u<t.length&&!(t[u][0]>=
this.upper[l]);u+=1){let h=this.ratio(l,o[u]);h!==0&&(s.push(u),i.push(h))}n[l+1]=s.length}return{first:n,bin:Int32Array.from(s),share:Float64Array.from(i)}}};function Li(r){
let t=new Float64Array(r.length+1);for(let e=0;e<r.length;e+=1)t[e+1]=t[e]+r[e];return t}function zr(r,t){let e=r.map(i=>t(i[0])),n=r.map(i=>t(i[1])),s=[0];for(let i=0;i<
e.length;i+=1)s.push(s[i]+(n[i]-e[i]));return{low:e,high:n,before:s,at:t}}function Qr(r,t,e){return t<0?0:r.before[t]+(Math.min(r.at(e),r.high[t])-r.low[t])}function K(r,t){
let e=0,n=r.length;for(;e<n;){let s=e+n>>1;r[s]<=t?e=s+1:n=s}return e-1}var Pi=2e4,ye=50,Di=[0,.003,.01,.03,.1],Ui=[.8,.6,.4,.2,.1],Bi=1.96/Math.sqrt(12),Vn={value:null,low:null,high:null},W=class{constructor(t,e,n){this.engine=t;this.
axis=e;this.region=n;this.attribute=t.attributes[e];let{count:s}=this.attribute;this.each=Math.max(1,Math.ceil(s/Pi));for(let o of R($(n.flatMap(a=>a[e]??[[0,s]])),
[[0,s]]))this.add(o);let i=this.codes.map(o=>[o,Math.min(o+this.each,s)]);this.mass=new Float64Array(i.length);for(let o of n){let a=t.grid([e],[i],o,{within:!0});
for(let l=0;l<i.length;l+=1)this.mass[l]+=a[l]}this.mass=this.mass.map(o=>Math.max(o,0)),this.total=this.mass.reduce((o,a)=>o+a,0)}engine;axis;region;codes=[];first=[];last=[];mass;total;each;attribute;whole=null;add([
t,e]){let{attribute:n,codes:s,first:i,last:o,each:a}=this;for(let l=Math.floor(t/a)*a;l<e;l+=a){let u=n.tickAt(Math.max(t,l)),h=n.tickAt(Math.min(e,l+a,n.count))-
n.step;s[s.length-1]===l?o[o.length-1]=h:(s.push(l),i.push(u),o.push(Math.max(u,h)))}}quantile(t){let e=t*this.total,n=0;for(let s=0;s<this.mass.length;s+=1){let i=this.
mass[s];if(i>0&&n+i>=e*(1-1e-12)){let o=Math.min(1,Math.max(0,(e-n)/i));return this.first[s]+o*(this.last[s]-this.first[s])}n+=i}return null}sum(){return this.total>
0?this.mass.reduce((t,e,n)=>t+e*((this.first[n]+this.last[n])/2),0):null}mean(){let t=this.sum();return t===null?null:t/this.total}*boundedQuantiles(t){let e=yield*this.
band(t);return t.map(n=>{let s=this.quantile(n);if(s===null||!e)return{...Vn,value:s};let i=0;for(;i<this.mass.length-1&&e.atMost(i+1)<n;)i+=1;let o=this.mass.length-
1;for(;o>0&&e.atLeast(o)>=n;)o-=1;return{value:s,low:Math.min(s,this.first[i]),high:Math.max(s,this.last[o])}})}*boundedMean(){let t=this.mean(),e=t===null?null:
yield*this.band([]);if(t===null||!e)return{...Vn,value:t};let n=this.first.map((h,c)=>(h+this.last[c])/2),[s,i]=Xr(n,n,t,e),[o,a]=Xr(this.first,this.last,t,e),l=this.
first.map((h,c)=>this.mass[c]*(this.last[c]-h)/this.total),u=Bi*we(this.engine.together)*Math.hypot(...l);return{value:t,low:Math.max(o,t-Math.hypot(t-s,u)),high:Math.
min(a,t+Math.hypot(i-t,u))}}*boundedSum(){let t=this.sum(),{low:e,high:n}=yield*this.boundedMean(),s=this.answerAll();if(t===null||e===null||n===null||s.low===null)
return{...Vn,value:t};let i=[e,n].flatMap(o=>[o*s.low,o*s.high]);return{value:t,low:Math.min(t,...i),high:Math.max(t,...i)}}answerAll(){return this.whole??=this.
answerOf([0,this.attribute.count]),this.whole}answerOf(t){let e=[[0,this.attribute.count]],n=this.region.map(s=>({...s,[this.axis]:R(s[this.axis]??e,[t])}));return this.
engine.answer(n.filter(s=>s[this.axis].length))}*band(t){let e=this.answerAll();if(e.low===null)return null;let n=this.edges(t),[s,i]=[[],[]],[o,a]=[0,0];for(let u of n){
for(;a<u;)o+=this.mass[a++];let h=o<=this.total/2,c=this.codes[u],m=this.answerOf(h?[0,c]:[c,this.attribute.count]);if(m.low===null)return null;let f=e.high>0?Math.
min(m.low/e.high,1):0,g=e.low>0?Math.min(m.high/e.low,1):1;s.push(h?f:1-g),i.push(h?g:1-f),yield}let l=this.mass.length;return{atLeast:u=>u===l?1:s[K(n,u)]??0,atMost:u=>u===
0?0:i[K(n,u-1)+1]??1}}edges(t){let e=this.mass.length;if(t.length===0&&e<=ye||!(this.total>0))return Array.from({length:Math.max(0,Math.min(e,ye)-1)},(l,u)=>u+1);
let n=t.flatMap(l=>Di.flatMap(u=>[l-u,l+u])),s=t.flatMap(l=>Ui.flatMap(u=>[l*u,1-(1-l)*u])),i=Array.from({length:ye},(l,u)=>u/(ye-1)),o=[];this.mass.reduce((l,u,h)=>(o[h]=
(l+u)/this.total,l+u),0);let a=(t.length?[...n,...s]:i).flatMap(l=>{let u=Hi(o,l);return[u,u+1]});return[...new Set(a)].filter(l=>l>0&&l<e).sort((l,u)=>l-u)}};function Hi(r,t){
let[e,n]=[0,r.length];for(;e<n;){let s=e+n>>1;r[s]<t?e=s+1:n=s}return e}function Xr(r,t,e,n){let[s,i]=[0,0];r.forEach((l,u)=>{let h=Math.max(i,n.atMost(u+1));s+=
l*(h-i),i=h});let[o,a]=[0,1];for(let l=t.length-1;l>=0;l-=1){let u=Math.min(a,n.atLeast(l));o+=t[l]*(a-u),a=u}return[Math.min(e,s),Math.max(e,o)]}function*ve(r){return yield,r()}function ut(r){for(;;){let t=r.next();if(t.done)return t.value}}var Gi="COUNT(non-empty cells)",Jr=1e-9;function Kt(r){return r===Gi?"SUM(cells)":r}function Tt(r,t){let e=ji(r,t),n=new Map,s=new Map;return{...e,value(i){let o=n.
has(i)?n.get(i)??null:e.value(i);return n.set(i,o),o},*figure(i){let o=s.get(i)??(yield*e.figure(i));return s.set(i,o),o}}}function ji(r,t){switch(r.kind){case"\
total":return _i(r.condition,t);case"share":return Vi(r.within,t);case"difference":case"ratio":return qt(r.kind==="ratio"?4:0,e=>{let[n,s]=[r.one,r.other].map(i=>T(
t.region(e),i));return(r.kind==="ratio"?Vr:be)(t.engine,n,s)});case"min":case"max":return Wi(r,t);case"scaled":return Yi(Tt(r.of,t),r.factor<0,e=>e*r.factor);case"\
rounded":return zi(Tt(r.of,t),r.decimals);default:return qi(r,t)}}function qt(r,t){return{digits:r,value:e=>t(e).value,figure:e=>ve(()=>t(e))}}function _i(r,t){
return r===X?{...qt(0,e=>t.answer(e)),value:e=>e.value}:qt(0,e=>t.engine.answer(T(t.region(e),r)))}function Vi(r,t){let e=new Map,n=o=>{let a=String(r.map(u=>o.
places[u])),l=e.get(a)??t.engine.answer(t.region(o,r));return e.set(a,l),l},s=o=>{let[a,l]=[t.answer(o),n(o)],{note:u}=a,h=l.value?a.value/l.value:null;if(a.low===
null||l.low===null)return{value:h,low:null,high:null,note:u};let[c,m]=t.engine.shareBounds(a,l);return{value:h,low:c,high:m,note:u}},i=o=>n(o).value?o.value/n(o).
value:null;return{...qt(4,s),value:i}}function qi({kind:r,attribute:t,level:e,condition:n},s){let{engine:i}=s;if(r==="sum"&&t.isCalendar)throw new d(`${t.name} \
is a date, so it has no sum; ask AVG(${t.name}) or MEDIAN(${t.name})`);let o=h=>T(s.region(h),n),a=h=>new W(i,t.axis,o(h)),l=t.isCalendar?Ki(t,r==="quantile"):null,
u=h=>h!==null&&l?.whole?Math.floor(h/z)*z:h;return{digits:2,...l?.printed,value:h=>u(r==="quantile"?a(h).quantile(e):a(h)[r]()),*figure(h){let c=a(h),m=r==="qua\
ntile"?(yield*c.boundedQuantiles([e]))[0]:yield*r==="mean"?c.boundedMean():c.boundedSum(),[f,g,b]=[m.value,m.low,m.high].map(u);return{value:f,low:g,high:b,note:i.
note(o(h),[t.axis])}}}}function Ki(r,t){let e=t&&r.type==="date";return{whole:e,printed:{isDate:!0,print:e?s=>r.text(s):s=>new Date(Math.round(s)).toISOString().
slice(0,19).replace("T"," ")}}}function Wi({kind:r,attribute:t,condition:e},n){let s=i=>new W(n.engine,t.axis,T(n.region(i),e));return qt(2,i=>{let{codes:o,first:a,
last:l,each:u}=s(i),h=T(n.region(i),e),c=n.engine.jointly(n.engine.together*Math.max(1,o.length)),m=o.map(M=>c.answer(T(h,[{[t.axis]:[[M,Math.min(M+u,t.count)]]}]))),
f=n.engine.note(h,[t.axis]);if(o.length===0||m.some(({low:M})=>M===null))return{value:null,low:null,high:null,note:f};let g=m.map(({low:M})=>(M??0)>0),b=r==="ma\
x"?g.lastIndexOf(!0):g.indexOf(!0),[v,x]=[a[0],l[l.length-1]];return b<0?{value:null,low:v,high:x,note:f}:r==="max"?{value:l[b],low:a[b],high:x,note:f}:{value:a[b],
low:v,high:l[b],note:f}})}function Yi(r,t,e){if(r.isDate)throw new d("a date cannot be multiplied or divided; ask for it as it is");let n=s=>s===null?null:e(s);
return{digits:Math.max(r.digits,2),value:s=>n(r.value(s)),*figure(s){let{value:i,low:o,high:a,note:l}=yield*r.figure(s),u=t?[a,o]:[o,a];return{value:n(i),low:n(
u[0]),high:n(u[1]),note:l}}}}function zi(r,t){if(r.isDate)throw new d("a date cannot be rounded; ask for it as it is");let e=10**t,n=(o,a)=>o===null?null:a(o*e)/
e,s=o=>Math.floor(o+.5),i=Math.max(0,t);return{digits:i,print:o=>o.toLocaleString("en-US",{minimumFractionDigits:i,maximumFractionDigits:i}),value:o=>n(r.value(
o),s),*figure(o){let{value:a,low:l,high:u,note:h}=yield*r.figure(o);return{value:n(a,s),low:n(l,c=>Math.floor(c+Jr)),high:n(u,c=>Math.ceil(c-Jr)),note:h}}}}function xe(r,t){
return ut(r.figure(t))}var Qi="ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*), or for each measure in a column of its own",Ee=class{constructor(t,e,n,s){
this.engine=t;this.texts=e;this.named=n;this.plain=s}engine;texts;named;plain;measures=[];numbers=new Map;term(t){let e=this.findKey(t);if(e!==null)return{key:e};
if(t.kind==="call"&&["GROUPING","GROUPING_ID"].includes(t.name))return{grouping:t.args.map(i=>this.keyOf(i,"GROUPING"))};if(t.kind==="column")throw new d(`${P(t,
this.engine).name} must be in GROUP BY, or in one of ${_t}`);let n=ot(t,this.engine),s=this.numbers.get(n);return s!==void 0?{measure:s}:(this.measures.push(this.
asked(t)),this.numbers.set(n,this.measures.length-1),{measure:this.measures.length-1})}findKey(t){let e=qn(t,this.named,this.engine),n=this.texts.indexOf(ot(e,this.
engine));return n<0?null:n}keyOf(t,e){let n=this.findKey(t);if(n===null)throw new d(`${e} takes what stands in GROUP BY, got ${y(A(t))}`);return n}asked(t){if(t.
kind==="call"&&t.name==="ROUND"&&t.args.length)return{kind:"rounded",of:this.asked(t.args[0]),decimals:Ji(t.args[1])};let[e,n]=St(t);if(e!==1)return Wt(this.asked(
n),e);if(n.kind==="call")return this.call(n);if(n.kind==="binary"&&Mt(n))return this.arithmetic(n);throw new d(`cannot answer ${y(A(t))}; ask for attributes in \
GROUP BY, or for ${_t}`)}call(t){if(t.name==="ROUND")return this.asked(t);if(t.name==="SHARE"){if(t.filter)throw new d("SHARE takes no FILTER; ask COUNT(*) FILT\
ER (WHERE …) / COUNT(*)");return{kind:"share",within:this.partition(t.over??[])}}if(t.over)throw new d(`cannot answer ${y(A(t))} by itself; ask SHARE(*)`);return this.
aggregate(t,t.filter?Q(t.filter,this.engine):X)}aggregate(t,e){if(t.distinct)throw new d("the view holds no distinct values; ask COUNT(*), or SELECT DISTINCT of\
 the attribute");let n=Gr(t),{argument:s}=n;if(n.what==="countif"&&s)return this.total("COUNT(*)",T(e,Q(s,this.engine)));let i=s&&It.of(s,this.engine);if(i)return this.
ofCases(n,i,e);let o=!s||["star","number","text"].includes(s.kind);if(n.what==="count"&&o)return this.total("COUNT(*)",e);if(!s)throw new d(`${t.name}() needs a\
n attribute`);return this.ofColumn(n,s,e)}ofCases(t,e,n){if(t.what==="count")return this.total("COUNT(CASE …)",T(n,this.present(e)));let s=["sum","mean"].includes(
t.what)?e.number():null;if(s===null){let[u,h]=e.column(t.what==="sum");return this.ofColumn(t,u,T(n,h))}let[i,o]=s;this.needRows(`${t.what.toUpperCase()}(CASE …\
)`);let[a,l]=[T(n,o),T(n,e.there)];return Wt(t.what==="sum"?{kind:"total",condition:a}:{kind:"ratio",one:a,other:l},i)}present(t){let e=t.branches.flatMap(({value:n,
region:s})=>n===null?[]:[Vt(n)?T(s,this.there(n)):s]);return Et(e,this.engine.sizes)}ofColumn(t,e,n){let{engine:s}=this,i=Kt(s.facts.measure);if(t.what==="sum"&&
e.kind==="column"&&`SUM(${e.name})`.toLowerCase()===i.toLowerCase())return{kind:"total",condition:n};if(t.what==="sum"&&e.kind==="number"&&e.text==="1")return this.
total("COUNT(*)",n);if(e.kind!=="column")throw new d(`cannot answer ${y(A(e))}; ask for ${_t}`);let o=P(e,s);if(t.what==="count")return this.total("COUNT(*)",T(
n,this.there(e)));if(this.needRows(`${t.what.toUpperCase()}(${o.name})`),!o.ordered)throw new d(`${o.name} has no order, so it has no mean and no quantiles; ask\
 COUNT(*) and group by it`);if(t.what==="min"||t.what==="max")return{kind:t.what,attribute:o,condition:n};if(t.what==="countif")throw new d("COUNT_IF takes a co\
ndition");return{kind:t.what,attribute:o,level:t.level,condition:n}}there(t){let{axis:e,missingCode:n}=P(t,this.engine);return[{[e]:[[0,n]]}]}total(t,e){return this.
needRows(t),{kind:"total",condition:e}}needRows(t){let e=Kt(this.engine.facts.measure);if(e!=="COUNT(*)")throw new d(`this view tells ${e}, not ${t}`)}arithmetic(t){
let[[e,n],[s,i]]=[St(t.left),St(Xi(t.right))],o=t.sign==="/"&&s!==0,a=o?e/s:e;if(o&&i.kind==="call"&&i.name==="SUM"&&i.over&&this.isWhole(n,i.args[0])){if(!this.
plain)throw new d("a share by OVER counts what HAVING and ROLLUP leave; ask SHARE(*), which does not");return Wt({kind:"share",within:this.partition(i.over)},a)}
let l=[..._(t)].some(h=>h.kind==="call"&&h.over);if(Mt(n)&&Mt(i)&&!l){let[h,c]=[this.asked(n),this.asked(i)],m=o?this.ratio(h,c):null;if(m)return Wt(m,a);if(t.sign===
"-"&&e===s&&h.kind==="total"&&c.kind==="total")return Wt({kind:"difference",one:h.condition,other:c.condition},a)}let u=t.sign==="+"?"join the conditions of one\
 COUNT by OR":Qi;throw new d(`cannot answer ${y(A(t))}; ${u}`)}isWhole(t,e){if(!e||ot(t,this.engine)!==ot(e,this.engine)||t.kind!=="call")return!1;let n=this.asked(
t);return n.kind==="total"&&n.condition===X}ratio(t,e){if(e.kind!=="total")return null;if(t.kind==="total")return{kind:"ratio",one:t.condition,other:e.condition};
if(t.kind!=="sum")return null;let{axis:n,missingCode:s}=t.attribute,i=T(t.condition,[{[n]:[[0,s]]}]);return JSON.stringify(i)===JSON.stringify(e.condition)?{...t,
kind:"mean"}:null}partition(t){return t.map(e=>this.keyOf(e,"PARTITION BY")).sort((e,n)=>e-n)}};function qn(r,t,e){return r.kind!=="column"||e.byName.has(r.name)?
r:t.get(r.name.toLowerCase())??r}function Wt(r,t){return t===1?r:{kind:"scaled",of:r,factor:t}}function Xi(r){return r.kind==="call"&&r.name==="NULLIF"&&r.args.
length===2&&V(r.args[1])===0?r.args[0]:r}function Ji(r){let t=r?V(r):0;if(t===null||!Number.isInteger(t)||Math.abs(t)>15)throw new d("ROUND takes a whole number\
 of decimals from -15 to 15");return t}var Zr=4096;function ts(r,t){let{items:e,distinct:n,group:s}=r,i=new Map(e.flatMap(({expr:c,alias:m})=>m?[[m.toLowerCase(),c]]:[])),o={keys:[],texts:[],sets:[[]]},
a=c=>{let m=c.kind==="number"?Zi(c,r):qn(c,i,t),f=ot(m,t);return o.texts.includes(f)||(o.keys.push(Rr(m,t)),o.texts.push(f)),o.texts.indexOf(f)},l=e.map(({expr:c})=>c).
filter(c=>!Mt(c)),h=s==="all"||n&&s===null&&l.length>0?l.map(c=>({how:"plain",parts:[[c]]})):Array.isArray(s)?s:[];for(let c of h){let m=es(c,a);if(o.sets.length*
m.length>Zr)throw rs();o.sets=o.sets.flatMap(f=>m.map(g=>[...f,...g]))}if(n&&s!==null){let c=new Set(e.map(({expr:m})=>ot(m,t)));if(o.sets.length>1||o.texts.some(
m=>!c.has(m)))throw new d("cannot answer DISTINCT beside GROUP BY of more than SELECT shows; leave out DISTINCT")}return o}function Zi({text:r},{items:t}){let e=/^\d{1,5}$/.
test(r)?t[Number(r)-1]:void 0;if(!e)throw new d(`there is no column ${r} in SELECT; it has ${t.length}`);return e.expr}function es({how:r,parts:t},e){if(r==="se\
ts"||r==="plain")return t.flatMap(i=>Array.isArray(i)?[i.map(e)]:es(i,e));let n=t.map(i=>Array.isArray(i)?i.map(e):[]);if(r==="rollup")return[...n.keys(),n.length].
reverse().map(i=>n.slice(0,i).flat());if(n.length>12)throw rs();return[...n.keys(),n.length].reverse().flatMap(i=>ns(n,i)).map(i=>i.flat())}function ns(r,t){return t===
0?[[]]:r.flatMap((e,n)=>ns(r.slice(n+1),t-1).map(s=>[e,...s]))}function rs(){return new d(`the question has more than ${Zr} grouping sets; name fewer attributes\
 in CUBE`)}var ss="compare what stands in SELECT or GROUP BY with plain values, joined by AND, OR and NOT";function ke(r,t,e){let n=Wn(r,e);return t.filter(s=>n(s)===!0)}function Wn(r,t){
if(r.kind==="not"){let e=Wn(r.of,t);return n=>eo(e(n))}if(r.kind==="and"||r.kind==="or")return Kn(r.parts.map(e=>Wn(e,t)),r.kind==="or");if(r.kind==="compare")return Ae(
r.sign,r.left,r.right,t);if(r.kind==="is null"){let{of:e}=t(r.of);return n=>e(n)===null}if(r.kind==="between"){let e=[Ae(">=",r.of,r.low,t),Ae("<=",r.of,r.high,
t)];return Kn(e,!1)}if(r.kind==="in")return Kn(r.values.map(e=>Ae("=",r.of,e,t)),!0);if(r.kind==="like"){let[{of:e,kind:n},s]=[t(r.of),Dn(r)];if(n!=="string")throw new d(
`cannot answer ${y(A(r))}; LIKE is about text`);return i=>{let o=e(i);return o===null?null:s(String(o))}}throw new d(`cannot answer ${y(A(r))}; ${ss}`)}function Ae(r,t,e,n){
let s=[t,e].map(m=>B(m)?null:n(m)),i=s.find(m=>m!==null);if(!i)throw new d(`cannot answer ${y(A(t))} ${r} …; ${ss}`);let o=[t,e].flatMap(m=>B(m)?[F(m).text]:[]),
a=s.map(m=>m?.kind??i.kind),l=a.includes("day")||a.includes("moment")&&o.some(m=>xt.test(m)),u=m=>l&&typeof m=="number"?Math.floor(m/z)*z:m,[h,c]=s.map((m,f)=>{
if(m)return b=>u(m.of(b));let g=u(to(i.kind,F(f?e:t).text));return()=>g});return m=>{let[f,g]=[h(m),c(m)];return f===null||g===null?null:typeof f==typeof g?pe[r](
f,g):pe[r](Number(f),Number(g))}}function to(r,t){if(r==="string")return t;let e=r==="number"?Number(t):Date.parse(`${t.trim().replace(" ","T")}${xt.test(t)?"":
"Z"}`);if(t.trim()===""||!Number.isFinite(e))throw new d(`a ${r==="number"?"measure is compared with a number":"date is compared with a date"}, not '${t}'`);return e}
function eo(r){return r===null?null:!r}function Kn(r,t){return e=>{let n=!1;for(let s of r){let i=s(e);if(i===t)return t;i===null&&(n=!0)}return n?null:!t}}function Me(r,t,e){switch(t.kind){case"rounded":return Me(r.kind==="call"?r.args[0]:r,t.of,e);case"scaled":{let n=Me(St(r)[1],t.of,e);return["share","difference",
"ratio"].includes(t.of.kind)?n:`scaled_${n}`}case"share":case"difference":case"ratio":return t.kind;case"min":case"max":return`${t.kind}_${t.attribute.name}`;case"\
mean":case"sum":case"quantile":{let n=[..._(r)].some(i=>i.kind==="call"&&i.name==="MEDIAN"),s={mean:"avg",sum:"sum",quantile:`q${Number((100*t.level).toPrecision(
6))}`}[t.kind];return`${n?"median":s}_${t.attribute.name}`}default:return no(r,e)}}function no(r,t){let n=[..._(r)].filter(i=>i.kind==="call").some(({name:i})=>i===
"SUM")?"sum":"count";if(r.kind!=="call"||r.filter||!r.args[0]||It.of(r.args[0],t))return n;let[s]=r.args;return s.kind==="column"?`${n}_${ce(s,t)?.name??s.name}`:
n}var Yt=["","_low","_high"],ro=["value","low","high"],so="(all)";function et(r){return"figure"in r}function Se(r,{kind:t,labels:e,texts:n},s){let i=(o,a)=>l=>{let u=l.
places[s];return u===null?a:o[u]};return{name:r,kind:t,text:i(n,so),key:i(e,null)}}function Ie(r){return et(r)?{kind:r.isDate?"moment":"number",of:t=>r.value(t)}:
{kind:r.kind,of:t=>r.key(t)}}function Ct(r,t){if(r.kind!=="column"||r.table)return null;for(let e of t){let n=Yt.findIndex(s=>`${e.name}${s}`.toLowerCase()===r.
name.toLowerCase());if(n===0)return Ie(e);if(n>0&&et(e))return{kind:e.isDate?"moment":"number",of:s=>xe(e,s)[ro[n]]}}return null}function Te(r,t){if(r.kind!=="n\
umber")return null;let e=/^\d{1,5}$/.test(r.text)?t[Number(r.text)-1]:void 0;if(!e)throw new d(`there is no column ${r.text} in SELECT; it has ${t.length}`);return Ie(
e)}function Ce(r,t,e){let n=t.map(i=>({...i,of:e(i.expr).of})),s=({of:i,down:o,nullsFirst:a},l,u)=>Yn(i(l),i(u),{down:o,nullsFirst:a});r.sort((i,o)=>n.reduce((a,l)=>a||
s(l,i,o),0))}function Yn(r,t,{down:e=!1,nullsFirst:n=!1}={}){let s=i=>+(i===null);return r===null||t===null?(s(r)-s(t))*(n?-1:1):(r<t?-1:+(r>t))*(e?-1:1)}function zt(r){
let t=new Set;for(let e of r)for(let n of et(e)?Yt:Yt.slice(0,1)){let s=`${e.name}${n}`;if(t.has(s.toLowerCase()))throw new d(`two columns would be called ${y(s)}\
; name one of them with AS`);t.add(s.toLowerCase())}return r}var is="over a result ask for its columns, * or MIN and MAX of columns, with WHERE, ORDER BY and LIMIT";function zn({items:r}){return r.some(({expr:t})=>[..._(t)].
some(as))}function os(r,t){for(let[a,l]of[["GROUP BY",r.group],["HAVING",r.having],["DISTINCT",r.distinct]])if(l)throw new d(`cannot answer ${a} over a result; \
use it in the SELECT from the view; ${is}`);let e=a=>{let l=Ct(a,t.columns);if(!l)throw new d(`the result has no column ${y(A(a))}; it has ${us(t)}`);return l},
n=r.where?ke(r.where,t.rows,e):[...t.rows],s=r.limit===null?void 0:r.offset+r.limit;if(zn(r)){if(r.order.length||!r.items.every(({expr:u})=>as(u)))throw new d("\
MIN and MAX of a result make one row; ask for them alone, without ORDER BY");let a=r.items.map(u=>oo(u,u.expr,t,n)),l={places:[],value:0,answer:null};return{columns:zt(
a),rows:[l].slice(r.offset,s),note:t.note}}let i=io(r.items,t).flatMap(a=>ls(a,t)),o=new Map(r.items.flatMap(({expr:a,alias:l})=>l?[[l.toLowerCase(),a]]:[]));return Ce(
n,r.order,a=>{let l=a.kind==="column"&&!Ct(a,t.columns)?o.get(a.name.toLowerCase()):null;return Te(a,i)??e(l??a)}),{columns:zt(i),rows:n.slice(r.offset,s),note:t.
note}}function as(r){return r.kind==="call"&&(r.name==="MIN"||r.name==="MAX")}function io(r,t){let e=new Set(r.flatMap(({expr:i,alias:o})=>i.kind==="column"&&!o?
[i.name.toLowerCase()]:[])),s=t.columns.filter(i=>et(i)&&e.has(i.name.toLowerCase())).flatMap(({name:i})=>Yt.slice(1).map(o=>`${i}${o}`.toLowerCase()));return r.
filter(({expr:i,alias:o})=>o||i.kind!=="column"||!s.includes(i.name.toLowerCase()))}function ls({expr:r,alias:t},e){if(r.kind==="star")return e.columns;if(r.kind!==
"column"||r.table)throw new d(`cannot answer ${y(A(r))} of a result; ${is}`);let n=e.columns.find(({name:o})=>o.toLowerCase()===r.name.toLowerCase());if(n)return[
{...n,name:t??n.name}];let s=Ct(r,e.columns);if(!s)throw new d(`the result has no column ${y(r.name)}; it has ${us(e)}`);let i=o=>String(s.of(o)??"unknown");return[
{name:t??r.name,kind:s.kind,text:i,key:s.of}]}function oo({alias:r},{name:t,args:[e]},n,s){let[i]=ls({expr:e,alias:null},n),o=r??`${t.toLowerCase()}_${i.name}`,
a=u=>u.length?u.reduce((h,c)=>h<c==(t==="MIN")?h:c):null;if(!et(i)){let u=s.filter(m=>i.key(m)!==null),h=a(u.map(m=>i.key(m))),c=u.find(m=>i.key(m)===h);return{
name:o,kind:i.kind,text:()=>c?i.text(c):"none",key:()=>h}}let l=()=>{let u=s.map(f=>xe(i,f)),h=f=>u.map(g=>g[f]).filter(g=>g!==null),c=["low","high"].map(f=>h(f).
length===s.length?a(h(f)):null),m=u.find(f=>f.note)?.note;return{value:a(h("value")),low:c[0],high:c[1],note:m}};return{...i,name:o,value:()=>l().value,figure:()=>ve(
l)}}function us({columns:r}){return r.map(({name:t})=>t).join(", ")}var nt="ask one SELECT of keys and measures FROM view, with WHERE, GROUP BY, HAVING, ORDER BY and LIMIT",ao=200,lo="SELECT FROM WHERE GROUP HAVING ORDER LIMIT O\
FFSET BY AND OR NOT AS JOIN OVER PARTITION FILTER UNION CASE WHEN THEN ELSE END BETWEEN IN IS LIKE ILIKE NULL DISTINCT WITH ON QUALIFY WINDOW EXCEPT INTERSECT U\
SING LATERAL".split(" "),Ne=class{constructor(t){this.tokens=t}tokens;at=0;depth=0;deeper(t){if(this.depth+=1,this.depth>ao)throw new d(`the question is nested \
too deeply; ${nt}`);let e=t();return this.depth-=1,e}withText(t){let e=this.at,n=t(),s=this.tokens.slice(e,this.at).map(i=>i.raw);return[n,s.join(" ").replace(/ ?([().]) ?| (?=,)/g,
"$1")]}name(t){let e=this.next();if(e.kind!=="quoted"&&!hs(e))throw new d(`expected ${t} and found ${y(e.text)}; ${nt}`);return e}alias(){let t=this.peek();return this.
take("AS")||t.kind==="quoted"||hs(t)?this.name("a name after AS").text:null}whole(t){let e=this.next();if(e.kind!=="number"||!/^\d{1,9}$/.test(e.text))throw new d(
`${t} takes a whole number from 0, got ${y(e.text)}`);return Number(e.text)}list(t){let e=[t()];for(;this.take(",");)e.push(t());return e}inside(t){this.expect(
"(");let e=this.deeper(t);return this.expect(")"),e}peek(t=0){return this.tokens[Math.min(this.at+t,this.tokens.length-1)]}next(){let t=this.peek();return t.kind!==
"end"&&(this.at+=1),t}take(...t){return t.some((e,n)=>this.peek(n).upper!==e)?!1:(this.at+=t.length,!0)}expect(t){if(!this.take(t))throw new d(`expected ${t} an\
d found ${y(this.peek().text)}; ${nt}`)}refuse(t){throw new d(`cannot answer ${y(t)}; ${nt}`)}};function hs({kind:r,upper:t}){return r==="word"&&!lo.includes(t)}var uo=["=","<>","!=","<","<=",">",">="],ho=["DATE","TIMESTAMP"],Oe=class extends Ne{expression(){return this.deeper(()=>ue(...this.withText(()=>this.chain("or",
()=>this.chain("and",()=>this.negation())))))}chain(t,e){let n=[e()];for(;this.take(t.toUpperCase());)n.push(e());return n.length===1?n[0]:{kind:t,parts:n}}negation(){
return this.take("NOT")?{kind:"not",of:this.deeper(()=>this.negation())}:this.comparison()}comparison(){let t=this.sum();if(uo.includes(this.peek().text)&&this.
peek().kind==="sign")return{kind:"compare",sign:this.next().text.replace("!=","<>"),left:t,right:this.sum()};if(this.take("IS"))return this.negated(this.take("N\
OT"),this.isNull(t));let e=this.take("NOT"),n=this.tested(t);if(n)return this.negated(e,n);if(e)throw new d(`after NOT comes BETWEEN, IN or LIKE; ${nt}`);return t}negated(t,e){
return t?{kind:"not",of:e}:e}isNull(t){return this.expect("NULL"),{kind:"is null",of:t}}tested(t){if(this.take("BETWEEN")){let s=this.sum();return this.expect("\
AND"),{kind:"between",of:t,low:s,high:this.sum()}}if(this.take("IN"))return{kind:"in",of:t,values:this.inside(()=>this.list(()=>this.sum()))};let e=this.take("I\
LIKE");if(!e&&!this.take("LIKE"))return null;let n=this.sum();return{kind:"like",of:t,pattern:n,fold:e,escaping:this.take("ESCAPE")?this.next().text:""}}sum(){let t=()=>this.
binary(["*","/","//"],()=>ue(...this.withText(()=>this.signed())));return this.deeper(()=>ue(...this.withText(()=>this.binary(["+","-"],t))))}binary(t,e){let n=e();
for(;this.peek().kind==="sign"&&t.includes(this.peek().text);)n={kind:"binary",sign:this.next().text,left:n,right:e()};return n}signed(){if(this.take("+"))return this.
deeper(()=>this.signed());if(this.take("-"))return{kind:"minus",of:this.deeper(()=>this.signed())};let t=this.primary();for(;this.take("::");)t={kind:"cast",of:t,
type:this.typeName()};return t}primary(){let t=this.peek();if(t.kind==="number"||t.kind==="text")return{kind:t.kind,text:this.next().text};if(this.take("*"))return{
kind:"star"};if(this.take("NULL"))return{kind:"null"};if(this.take("CASE"))return this.deeper(()=>this.cases());if(t.upper==="("){let s=this.inside(()=>this.list(
()=>this.expression()));return s.length===1?s[0]:{kind:"list",parts:s}}let e=this.peek(1).upper==="("&&t.kind==="word";if(["TRUE","FALSE"].includes(t.upper)&&!e)
return{kind:"boolean",value:this.next().upper==="TRUE"};if(ho.includes(t.upper)&&this.peek(1).kind==="text")return{kind:"cast",type:this.next().upper,of:{kind:"\
text",text:this.next().text}};let n=this.name("an attribute or a measure");return e?this.called(n.upper):this.column(n.text,n.kind==="quoted")}column(t,e){if(!this.
take("."))return{kind:"column",table:null,name:t,quoted:e};if(this.take("*"))return{kind:"star"};let{text:n,kind:s}=this.name("a column");return{kind:"column",table:t,
name:n,quoted:s==="quoted"}}called(t){if(t==="CAST"||t==="TRY_CAST")return this.inside(()=>{let n=this.expression();return this.expect("AS"),{kind:"cast",of:n,type:this.
typeName()}});if(t==="EXTRACT")return this.inside(()=>{let n=this.next().text;return this.expect("FROM"),{kind:"extract",part:n,of:this.expression()}});let e={kind:"\
call",name:t,args:[],distinct:!1,sorted:null,down:!1,filter:null,over:null};return this.inside(()=>{e.distinct=this.take("DISTINCT"),this.peek().upper!==")"&&(e.
args=this.list(()=>this.expression()))}),t==="IF"&&e.args.length>=2?{kind:"case",whens:[e.args[0]],thens:[e.args[1],e.args[2]??{kind:"null"}]}:this.followed(e)}followed(t){
return this.take("WITHIN","GROUP")&&this.inside(()=>{this.expect("ORDER"),this.expect("BY"),t.sorted=this.expression(),t.down=this.take("DESC"),t.down||this.take(
"ASC")}),this.take("FILTER")&&(t.filter=this.inside(()=>(this.expect("WHERE"),this.expression()))),this.take("OVER")&&(t.over=this.inside(()=>{let e=this.take("\
PARTITION","BY")?this.list(()=>this.expression()):[];if(this.peek().upper!==")")throw new d("a share is OVER () or OVER (PARTITION BY …), without ORDER BY");return e})),
t}cases(){let t=this.peek().upper==="WHEN"?null:this.expression(),e=[],n=[];for(;this.take("WHEN");){let s=this.expression();e.push(t?{kind:"compare",sign:"=",left:t,
right:s}:s),this.expect("THEN"),n.push(this.expression())}return e.length===0&&this.expect("WHEN"),n.push(this.take("ELSE")?this.expression():{kind:"null"}),this.
expect("END"),{kind:"case",whens:e,thens:n}}typeName(){let t=this.next();if(t.kind!=="word")throw new d(`expected a type and found ${y(t.text)}; ${nt}`);return this.
peek().upper==="("&&this.inside(()=>this.list(()=>this.whole("a type"))),t.upper}};var cs={ROLLUP:"rollup",CUBE:"cube"};function ps(r){return new Qn(Tr(r)).statement()}var Qn=class extends Oe{statement(){let t=this.select();return this.take(";"),
this.peek().kind!=="end"&&this.refuse(this.peek().text),t}select(){let t=this.take("WITH")?this.list(()=>this.namedResult()):[];this.expect("SELECT");let e=this.
take("DISTINCT");if(e&&this.peek().upper==="ON")throw new d("cannot answer DISTINCT ON; ask SELECT DISTINCT of keys, or GROUP BY");let n=this.list(()=>({expr:this.
expression(),alias:this.alias()}));this.expect("FROM");let s=this.source(),i=this.take("WHERE")?this.expression():null,o=this.take("GROUP","BY")?this.grouping():
null,a=this.take("HAVING")?this.expression():null,l=this.take("ORDER","BY")?this.list(()=>this.ordering()):[],u=this.take("LIMIT")?this.whole("LIMIT"):null,h=this.
take("OFFSET")?this.whole("OFFSET"):0;return{named:t,distinct:e,items:n,from:s,where:i,group:o,having:a,order:l,limit:u,offset:h}}namedResult(){if(this.peek().upper===
"RECURSIVE")throw new d("cannot answer WITH RECURSIVE; name plain SELECTs in WITH");let{text:t}=this.name("a name for a result");return this.expect("AS"),[t.toLowerCase(),
this.inside(()=>this.select())]}source(){if(this.peek().upper==="(")return{table:this.inside(()=>this.select()),alias:this.alias()??"",simultaneous:!1};let t=this.
name("the table, which is called view").text,e=this.peek().upper==="(";e&&this.inside(()=>{if(!this.take("SIMULTANEOUS"))throw new d("ask FROM view, or FROM vie\
w(simultaneous) for intervals that hold all together")});let n={table:t,alias:this.alias()??"",simultaneous:e},s=this.peek();if(s.upper===","||s.upper==="JOIN")
throw new d(`cannot answer JOIN; ${nt}`);return n}grouping(){if(this.take("ALL"))return"all";let t=this.list(()=>this.groupingPart());for(let[e,n]of Object.entries(
cs))if(this.take("WITH",e))return[{how:n,parts:t.flatMap(s=>s.parts)}];return t}groupingPart(){for(let[t,e]of Object.entries(cs))if(this.peek(1).upper==="("&&this.
take(t))return{how:e,parts:this.inside(()=>this.list(()=>ms(this.expression())))};return this.take("GROUPING","SETS")?{how:"sets",parts:this.inside(()=>this.list(
()=>this.oneSet()))}:{how:"plain",parts:[ms(this.expression())]}}oneSet(){if(this.take("(",")"))return[];let t=this.groupingPart();return t.how==="plain"?t.parts[0]:
t}ordering(){let t=this.expression(),e=this.take("DESC");e||this.take("ASC");let n=this.take("NULLS","FIRST");return!n&&this.take("NULLS")&&this.expect("LAST"),
{expr:t,down:e,nullsFirst:n}}};function ms(r){return r.kind==="list"?r.parts:[r]}var co=1e4,Nt=class{constructor(t,e,n,s=[n.map((i,o)=>o)]){this.engine=t;this.where=e;this.keys=n;this.rows=s.flatMap(i=>this.groups([...new Set(i)].sort((o,a)=>o-
a)))}engine;where;keys;rows;region(t,e=this.keys.map((n,s)=>s)){let n=this.where;for(let s of e){let i=t.places[s];if(i===null)continue;let{parts:o,attribute:a}=this.
keys[s];n=n.flatMap(l=>{let u=dr(o[i],l[a.axis]);return u.length?[{...l,[a.axis]:u}]:[]})}return n}answer(t){return t.answer??=this.engine.answer(this.region(t),
t.value),t.answer}groups(t){let e=t.map(a=>this.meeting(this.keys[a])),n=e.reduce((a,l)=>a*l.length,1);if(n>co){let a=n.toLocaleString("en-US");throw new d(`tha\
t gives ${a} rows; group by fewer attributes, or narrow them down first`)}let s=Array.from({length:n},(a,l)=>{let u=this.keys.map(()=>null),h=l;for(let c=t.length-
1;c>=0;c-=1)u[t[c]]=e[c][h%e[c].length],h=Math.floor(h/e[c].length);return{places:u,value:0,answer:null}}),i=t.map(a=>this.keys[a].attribute.axis);if(new Set(i).
size<i.length)for(let a of s)a.value=this.engine.answer(this.region(a)).value;else this.addTotals(s,t,i,e);return this.where.length===1&&new Set(i).size===i.length||
t.length===0?s:s.filter(a=>this.region(a).length>0)}meeting({parts:t,attribute:e}){let n=(s,{[e.axis]:i})=>!i||R(s,i).length>0;return t.flatMap((s,i)=>this.where.
some(o=>n(s,o))?[i]:[])}addTotals(t,e,n,s){let i=e.map((o,a)=>s[a].flatMap((l,u)=>this.keys[o].parts[l].map(h=>[h,u])));for(let o of this.where){let a=i.map(l=>l.
map(([u])=>u));this.engine.grid(n,a,o,{within:!0}).forEach((l,u)=>{let[h,c,m]=[u,1,0];for(let f=i.length-1;f>=0;f-=1)m+=i[f][h%i[f].length][1]*c,c*=s[f].length,
h=Math.floor(h/i[f].length);t[m].value+=l})}}};var mo="DISTINCT lists the values of the public domain; whether rows have them, only counts can tell";function $e(r,t,{simultaneous:e=!1}={}){return ds(r,ps(t),
new Map,e)}function ds(r,t,e,n){let s=new Map(e);for(let[o,a]of t.named)s.set(o,{select:a,known:new Map(s)});let i=po(t,s,r);return i?os(t,ds(r,i.select,i.known,
n||zn(t))):go(r,t,n||t.from.simultaneous)}function po(r,t,e){let{table:n,alias:s,simultaneous:i}=r.from,o=typeof n=="string"?n.toLowerCase():"",a=[o,s.toLowerCase()];
for(let c of fo(r))for(let m of _(c))m.kind==="column"&&m.table&&a.includes(m.table.toLowerCase())&&(m.table=null);if(typeof n!="string")return{select:n,known:t};
let l=t.get(o);if(l&&!i)return l;let{tables:u}=e.facts;if(u.includes(o))return null;let h=[...u,...t.keys()].filter(c=>c!=="view").slice(0,5);throw new d(`there\
 is no table ${y(n)}; ask FROM ${["view",...h.map(y)].join(" or ")}`)}function fo({items:r,order:t,where:e,having:n,group:s}){let i=Array.isArray(s)?s.flatMap(fs):
[];return[...r,...t].map(({expr:o})=>o).concat(e??[],n??[],i)}function fs({parts:r}){return r.flatMap(t=>Array.isArray(t)?t:fs(t))}function go(r,t,e){let n=r.jointly(
1);if(t.items.some(({expr:k})=>k.kind==="star"))throw new d("the view holds no rows, so it has no *; ask for COUNT(*), and for attributes in GROUP BY");let{keys:s,
texts:i,sets:o}=ts(t,n),a=new Map(t.items.flatMap(({expr:k,alias:S})=>S?[[S.toLowerCase(),k]]:[])),l=new Ee(n,i,a,t.having===null&&o.length===1),u=t.items.map(({
expr:k})=>l.term(k)),h=new Nt(n,Q(t.where,n),s,o),c=h.rows;e&&(n.together=c.length*l.measures.length);let m=new Map,f=(k,S)=>{if("key"in k)return Se(S,s[k.key],
k.key);if("grouping"in k)return bo(S,k.grouping);let L=m.get(k.measure)??Tt(l.measures[k.measure],h);return m.set(k.measure,L),{...L,name:S}},g=t.items.map(({expr:k,
alias:S},L)=>f(u[L],S??N(k,u[L]))),b=k=>Ct(k,g)??Ie(f(l.term(k),"")),v=t.having?ke(t.having,c,b):[...c];Ce(v,t.order,k=>Te(k,g)??b(k));let x=t.limit===null?void 0:
t.offset+t.limit,M=t.distinct&&l.measures.length===0?mo:"";return{columns:zt(g),rows:v.slice(t.offset,x),note:M};function N(k,S){return"key"in S?k.kind==="colum\
n"?s[S.key].attribute.name:A(k):"grouping"in S?"grouping":Me(k,l.measures[S.measure],n)}}function bo(r,t){let e=n=>t.reduce((s,i)=>2*s+ +(n.places[i]===null),0);
return{name:r,kind:"number",text:n=>String(e(n)),key:e}}var Qt=["year","quarter","month","week","day","hour"];function Ot(r,t,e,n=e){let s=t.special.map(a=>[a,a+1]);if(!t.ordered)return[...r.engine.largestNames(t.axis).
slice(0,e).map(l=>[l,l+1]),...s];if(!t.isCalendar)return t.displayBins(e);let i=r.grains[t.axis],o=i&&ft(t,i.unit,n,i.window??void 0);return o?[...o,...s]:yo(t,
e)}var wo=40;function yo(r,t){let e=r.displayBins(t);if(r.count<=t)return e;let n=e.filter(([i])=>i>=r.count),s=Qt.map(i=>ft(r,i,Math.min(t,wo))).findLast(i=>i&&
i.length>1);return s?[...s,...n]:e}function D(r,t){return r.isCalendar&&t[0]<r.count?le(r,t):r.describeBin(t)}function bt(r,t,e){if(!r.ordered||e[0]>=r.count)return r.
describe(e[0]);if(!r.isCalendar)return r.text(r.tickAt(e[0]));let n=t.filter(([s])=>s<r.count);return Mr(r,n,e)}var vo="http://www.w3.org/2000/svg";function p(r,t={},...e){return bs(document.createElement(r),t,e)}function w(r,t={},...e){return bs(document.createElementNS(
vo,r),t,e)}function C(r,t){for(let[e,n]of Object.entries(t))n===null||n===!1?r.removeAttribute(e):r.getAttribute(e)!==String(n)&&r.setAttribute(e,n===!0?"":String(
n))}var gs=0;function O(r){return gs+=1,`${r}-${gs}`}function bs(r,t,e){for(let[n,s]of Object.entries(t))typeof s=="function"?r.addEventListener(n.slice(2),s):s!==
null&&s!==!1&&s!==void 0&&r.setAttribute(n,s===!0?"":String(s));for(let n of e)n!=null&&r.append(typeof n=="number"?String(n):n);return r}var xo=Array.from({length:10},(r,t)=>new Intl.NumberFormat("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})),Eo=new Intl.NumberFormat("en-US",{notation:"\
compact",maximumSignificantDigits:3});function E(r,t=0){let e=xo[t].format(r);return/[1-9]/.test(e)?e:e.replace("-","")}function ht({value:r,stderr:t,low:e,high:n}){
if(e===null)return 0;let s=Math.max(t??0,n===null?0:(n-e)/2/2.12);return s===0?Number.isInteger(r)?0:3:Math.min(9,Math.max(0,1-Math.floor(Math.log10(s))))}function wt(r){
return E(r.value,ht(r))}function Rt(r){if(r.low===null)return"error unknown";let t=ht(r);return`${E(r.low,t)} to ${E(r.high,t)}`}function Ft(r){return r.low===null?
`${wt(r)} (error unknown)`:`${wt(r)} (95 %: ${Rt(r)})`}function Re(r){return Eo.format(r).replace("K","k")}function Fe(r,t){if(!(r>0))return[0];let e=r/t,n=10**
Math.floor(Math.log10(e)),s=([1,2,5].find(o=>o*n>=e)??10)*n,i=[];for(let o=0;o*s<=r*1.0001;o+=1)i.push(o*s);return i}function Le(r,t){return r.length<=t?r:`${r.
slice(0,Math.max(1,t-1))}…`}var Pe=class{constructor(t,e){this.store=t;this.attribute=e;let n=O("bars"),s=e.count,i=Qt.filter(o=>ft(e,o,s)?.length);this.options=i.map(o=>p("option",{value:o},
`${o}s`)),this.select=p("select",{id:n,onchange:()=>this.choose(this.select.value)},p("option",{value:""},"automatic"),...this.options),this.element=p("p",{class:"\
chooser",hidden:i.length===0},p("label",{for:n},"Bars",p("span",{class:"unseen"},` of ${e.title}`)),this.select,this.hint)}store;attribute;element;select;options;hint=p(
"span",{class:"note"});draw(){let{axis:t}=this.attribute,e=this.store.grains[t];this.select.value=e?.unit??"";let n=!1;for(let o of this.options)o.disabled=!this.
grainOf(o.value),n||=o.disabled;let s=e?.window,i=s&&`only ${this.attribute.describeRange(...s)}; Clear draws all`;this.hint.textContent=i??(n?"select a shorter\
 range for finer bars":"")}grainOf(t){let{attribute:e,store:n}=this;if(ft(e,t,De))return{unit:t,window:null};let s=n.grains[e.axis]?.window??Ao(n.filters[e.axis],
e.count);return s&&ft(e,t,De,s)?{unit:t,window:s}:null}choose(t){let{[this.attribute.axis]:e,...n}=this.store.grains,s=t?this.grainOf(t):null;this.store.choose(
"grains",s?{...n,[this.attribute.axis]:s}:n)}};function Ao(r,t){let e=r?.filter(([s])=>s<t)??[],n=e[e.length-1];return n?[Math.floor(e[0][0]),Math.min(Math.ceil(
n[1]),t)]:null}var ws=10,Ue=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.choose=n;this.ends=["low","high"].map((s,i)=>this.grip(s,i)),this.element=w("g",{class:"\
brushing"},this.area,this.chosen,...this.ends.map(({element:s})=>s)),this.element.addEventListener("pointerdown",s=>this.press(s)),this.element.addEventListener(
"pointermove",s=>this.drag(s));for(let s of["pointerup","pointercancel"])this.element.addEventListener(s,()=>this.release())}attribute;bins;choose;element;tint=w(
"rect",{class:"tint",visibility:"hidden"});range=null;held=null;area=w("rect",{class:"brush-area"});chosen=w("rect",{class:"brush",visibility:"hidden"});ends;x=()=>0;top=0;bottom=0;grip(t,e){
let n=w("line"),s=w("rect",{rx:3,width:6,height:22,x:-3}),i={class:"grip",tabindex:0,role:"slider","aria-label":`${this.attribute.title}, ${t} end of the range`,
onkeydown:o=>this.key(o,e)};return{element:w("g",i,n,s),line:n,handle:s}}place(t,e,n){Object.assign(this,{x:t,top:e,bottom:n});let s=this.bins[this.bins.length-
1][1],i=this.bins[0][0];C(this.area,{x:t(i),width:t(s)-t(i),y:e,height:n-e})}draw(t){this.range=t;let[e,n]=[this.bins[0][0],this.bins[this.bins.length-1][1]],[s,
i]=t??[e,n],[o,a]=[this.x(s),this.x(i)],l={x:o,width:Math.max(1,a-o),y:this.top,height:this.bottom-this.top};for(let u of[this.tint,this.chosen])C(u,{...l,visibility:t?
"visible":"hidden"});this.ends.forEach(({element:u,line:h,handle:c},m)=>{C(u,{transform:`translate(${m===0?o:a} 0)`,class:t?"grip held":"grip","aria-valuemin":e,
"aria-valuemax":n,"aria-valuenow":m===0?s:i,"aria-valuetext":this.say(m===0?s:i,m)}),C(h,{y1:this.top,y2:this.bottom}),C(c,{y:(this.top+this.bottom)/2-11})})}say(t,e){
let n=this.attribute.tickAt(t);return this.attribute.text(e===0?n:n-this.attribute.step)}barAt(t){let e=t.clientX-(this.area.ownerSVGElement?.getBoundingClientRect().
left??0),n=this.bins.findIndex(([,s])=>e<this.x(s));return n<0?this.bins.length-1:n}press(t){if(t.button!==0)return;let{target:e}=t,n=this.ends.findIndex(({element:i})=>e instanceof
Node&&i.contains(e)),s=this.range!==null&&e===this.chosen;this.held={grip:n,bar:this.barAt(t),moved:!1,moving:s,span:this.barsOf(this.range)},this.element.setPointerCapture(
t.pointerId),t.preventDefault()}drag(t){if(!this.held)return;let{grip:e,bar:n,moving:s,span:i}=this.held,o=this.barAt(t);if(!(o===n&&!this.held.moved))if(this.held.
moved=!0,e>=0&&i){let a=e===0?i[1]:i[0];this.chooseBars(Math.min(a,o),Math.max(a,o))}else if(s&&i){let a=Math.max(-i[0],Math.min(this.bins.length-1-i[1],o-n));this.
chooseBars(i[0]+a,i[1]+a)}else this.chooseBars(Math.min(n,o),Math.max(n,o))}release(){let{held:t}=this;if(this.held=null,!t||t.moved||t.grip>=0)return;t.span&&t.
span[0]===t.bar&&t.span[1]===t.bar?this.pick(null):this.chooseBars(t.bar,t.bar)}key(t,e){let n=this.bins.length-1,s=this.barsOf(this.range)??[0,n],i={ArrowLeft:-1,
ArrowDown:-1,ArrowRight:1,ArrowUp:1,PageDown:-ws,PageUp:ws,Home:-n,End:n};if(t.key==="Escape"||t.key==="Delete")this.pick(null);else if(t.key in i){let o=e===0?
[0,s[1]]:[s[0],n];s[e]=Math.max(o[0],Math.min(o[1],s[e]+i[t.key])),this.chooseBars(...s)}else return;t.preventDefault()}barsOf(t){if(!t)return null;let e=this.bins.
findIndex(([,s])=>s>t[0]),n=this.bins.findLastIndex(([s])=>s<t[1]);return[e,n]}chooseBars(t,e){let n=t===0&&e===this.bins.length-1;this.pick(n&&!this.held?null:
[this.bins[t][0],this.bins[e][1]])}pick(t){this.range=t,this.choose(t)}};var Xt=150,H={left:44,right:10,top:8,bottom:22},ys=6.6,ko=9,Mo=[1,2,5,10,20,25,50,100],Be=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.starts=e.map(
([s])=>s),this.bars=e.map(()=>w("rect",{class:"column"})),this.brush=new Ue(t,e,n),this.picture=w("svg",{class:"histogram",height:Xt,role:"group","aria-label":`\
Histogram of ${t.title}`},this.axis,this.brush.tint,w("g",{"aria-hidden":"true"},...this.bars),this.halo,this.band,this.line,this.brush.element),this.picture.addEventListener(
"pointermove",s=>this.tell(s)),this.picture.addEventListener("pointerleave",()=>{this.told.textContent=this.summary}),this.element=p("div",{class:"plot"},this.picture,
this.told)}attribute;bins;element;bars;picture;halo=w("path",{class:"halo"});band=w("path",{class:"band"});line=w("path",{class:"level"});axis=w("g",{class:"axi\
s","aria-hidden":"true"});told=p("p",{class:"told","aria-hidden":"true"});brush;starts;summary="";width=0;top=1;values=null;answers=null;range=null;filtered=!1;resize(){
let t=Math.max(160,Math.floor(this.element.clientWidth));t!==this.width&&(this.width=t,C(this.picture,{width:t,viewBox:`0 0 ${t} ${Xt}`}),this.brush.place(e=>this.
x(e),H.top,Xt-H.bottom),this.values&&this.paint(this.values))}x(t){let e=Math.max(0,K(this.starts,t)),[n,s]=this.bins[e],i=e+Math.min(1,Math.max(0,(t-n)/(s-n)));
return H.left+i/this.bins.length*(this.width-H.left-H.right)}draw(t,e,n){Object.assign(this,{values:t,range:e,filtered:n,answers:null}),this.width||this.resize(),
this.paint(t)}summarize(t){this.told.textContent===this.summary&&(this.told.textContent=t),this.summary=t}drawErrors(t){this.answers=t,this.values&&this.paint(this.
values)}paint(t){let e=Math.max(...t,0),n=this.answers?Math.max(...this.answers.map(a=>a.high??0)):0;this.top=Math.max(e*1.06,Math.min(n,e*1.6))||1;let s=this.y(
0),i=this.bins.length>60?.5:1;this.bins.forEach(([a,l],u)=>{let h=this.y(Math.max(t[u],0)),c=!this.filtered||this.range&&a<this.range[1]&&l>this.range[0];C(this.
bars[u],{x:this.x(a)+i/2,width:Math.max(.5,this.x(l)-this.x(a)-i),y:h,height:Math.max(0,s-h),class:c?"column":"column out"})}),this.paintBand(),this.paintAxis(),
this.brush.draw(this.range);let o=t.indexOf(e);if(o>=0){let a=D(this.attribute,this.bins[o]);C(this.picture,{"aria-label":`Histogram of ${this.attribute.title};\
 the largest bar is ${a} with ${E(e)}`})}}paintBand(){let t=this.answers?.filter(i=>i.low!==null)??[],e=t.length===this.bins.length,n=(this.width-H.left-H.right)/
this.bins.length>=ko;this.picture.classList.toggle("banded",e&&!n);let s=e&&n?this.errorBars(t):null;C(this.halo,{d:s}),C(this.line,{d:e&&!n?this.levelLine():null}),
C(this.band,{d:s??(e?this.steps(t):null),class:n?"band bars":"band"})}errorBars(t){let e=Math.min(4,(this.x(this.bins[0][1])-this.x(this.bins[0][0]))/4);return this.
bins.map(([s,i],o)=>{let a=(this.x(s)+this.x(i))/2,[l,u]=[this.y(t[o].low),this.y(t[o].high)],h=c=>`M${a-e},${c}h${2*e}`;return`M${a},${l}V${u}${h(l)}${h(u)}`}).
join("")}levelLine(){return`M${this.bins.map(([e,n],s)=>{let i=this.y(Math.max(this.values?.[s]??0,0));return`${this.x(e)},${i} ${this.x(n)},${i}`}).join(" ")}`}steps(t){
let e=this.bins.map(([s,i],o)=>`${this.x(s)},${this.y(t[o].high)} ${this.x(i)},${this.y(t[o].high)}`),n=this.bins.map(([s,i],o)=>`${this.x(i)},${this.y(t[o].low)}\
 ${this.x(s)},${this.y(t[o].low)}`);return`M${e.join(" ")} ${n.reverse().join(" ")}Z`}paintAxis(){let t=Fe(this.top,3).map(e=>w("g",{},w("line",{x1:H.left,x2:this.
width-H.right,y1:this.y(e),y2:this.y(e)}),w("text",{x:H.left-6,y:this.y(e)+4,"text-anchor":"end"},Re(e))));for(let[e,n]of this.marks())t.push(w("text",{x:e,y:Xt-
6,"text-anchor":"middle"},n));this.axis.replaceChildren(...t)}marks(){let{attribute:t,bins:e,width:n}=this,s=e.map(m=>bt(t,e,m)),i=Math.max(...s.map(m=>m.length))*
ys+10,o=Mo.find(m=>m*(this.x(e[0][1])-this.x(e[0][0]))>=i)??e.length,a=e[0][1]-e[0][0],l=t.bins.width&&!t.isCalendar,u=m=>l?t.edge(m)/(t.bins.width??1)/a:NaN,h=e.
findIndex(([m])=>u(m)%o===0),c=[];for(let m=Math.max(h,0);m<e.length;m+=o){let[f,g]=e[m],v=g-f===1&&t.step>0||t.isCalendar?(this.x(f)+this.x(g))/2:this.x(f),x=s[m].
length*ys/2;v-x>=0&&v+x<=n&&c.push([v,s[m]])}return c}tell(t){let e=t.clientX-this.picture.getBoundingClientRect().left,n=this.bins.findIndex(([i,o])=>e>=this.x(
i)&&e<this.x(o));if(n<0||!this.values){this.told.textContent=this.summary;return}let s=this.answers?Ft(this.answers[n]):E(this.values[n]);this.told.textContent=
`${D(this.attribute,this.bins[n])}: ${s}`}y(t){let e=Xt-H.top-H.bottom;return H.top+e*(1-Math.min(t/this.top,1))}};var So=/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,Io=/^['"`‘’“”\p{Z}\p{C}]*?[=+\-@\u2212\p{Cc}]/u;function vs(r){return!So.test(r)&&Io.test(r.normalize("\
NFKC"))}var To=2;function He(r,t){let e=(o,a)=>p("button",{type:"button",onclick:()=>{a(),i.open=!1,n.focus()},"aria-label":`${r}: save ${o}`},o),n=p("summary",{"aria-l\
abel":`Save ${r}`},"Save"),s=()=>new XMLSerializer().serializeToString(t.picture()),i=p("details",{class:"menu",onkeydown:o=>o.key==="Escape"&&n.click()},n,p("d\
iv",{},e("SVG",()=>Jt(`${t.name()}.svg`,new Blob([s()],{type:"image/svg+xml"}))),e("PNG",()=>{Co(`${t.name()}.png`,t.picture())}),e("CSV",()=>Jt(`${t.name()}.cs\
v`,new Blob([Jn(t.table())],{type:Xn})))));return i}var Xn="text/csv;charset=utf-8";function Jt(r,t){let e=URL.createObjectURL(t);p("a",{href:e,download:r}).click(),
setTimeout(()=>URL.revokeObjectURL(e),1e3)}async function Co(r,t){let[e,n]=["width","height"].map(o=>To*Number(t.getAttribute(o))),s=new Image;s.src=`data:image\
/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(t))}`,await s.decode();let i=p("canvas",{width:e,height:n});i.getContext("2d")?.
drawImage(s,0,0,e,n),i.toBlob(o=>o&&Jt(r,o),"image/png")}function Jn(r){return`${r.map(t=>t.map(No).join(",")).join(`\r
`)}\r
`}function No(r){let t=vs(r)?`'${r}`:r;return/[",\r\n]/.test(t)?`"${t.replaceAll('"','""')}"`:t}function Ge(r){return r.normalize("NFKD").replace(/[^\w]+/g,"-").
replace(/^-+|-+$/g,"").slice(0,60)||"chart"}var Oo=24,je=10,_e=class{element;lines;special;more;all=!1;wanted="";top=0;constructor(t,e,n){this.lines=e.map(([o])=>{let a=p("input",{type:"checkbox",onchange:()=>n(
this.chosen())}),l=p("span",{class:"bar-fill"}),u=p("span",{class:"whisker",hidden:!0}),h=p("span",{class:"total"}),c=t.describe(o),m=p("label",{title:c},a,p("s\
pan",{class:o>=t.count?"name special":"name"},c===""?"(empty)":c),p("span",{class:"track","aria-hidden":"true"},l,u),h);return{code:o,box:a,bar:l,whisker:u,total:h,
label:m,item:p("li",{},m)}});let s=p("ul",{class:"named"},...this.lines.map(({item:o})=>o)),i=p("input",{type:"search",class:"find",placeholder:"Find a name","a\
ria-label":`Find a name of ${t.title}`,oninput:()=>this.find(i.value)});this.more=p("button",{type:"button",class:"quiet",onclick:()=>this.turn()}),this.element=
p("div",{},e.length>Oo?i:null,s,this.more),this.special=this.lines.filter(({code:o})=>o>=t.count).length}find(t){this.wanted=t.trim().toLowerCase(),this.hide()}turn(){
this.all=!this.all,this.hide()}hide(){let t=this.lines.length-this.special,e=!this.all&&this.wanted===""&&t>je+2;this.lines.forEach(({label:n,item:s,box:i},o)=>{
let a=o<je||o>=t||i.checked;s.hidden=e?!a:!n.title.toLowerCase().includes(this.wanted)}),this.more.hidden=t<=je+2||this.wanted!=="",this.more.textContent=this.all?
`Show the ${je} largest`:`Show all ${E(t)}`}chosen(){return this.lines.filter(({box:t})=>t.checked).map(({code:t})=>t)}draw(t,e,n,s){let i=new Set(e);this.top=Math.
max(s,0),this.lines.forEach(({code:o,box:a,bar:l,whisker:u,total:h,label:c},m)=>{a.checked=i.has(o),c.classList.toggle("out",n&&!i.has(o)),l.style.width=`${this.
percent(t[m])}%`,u.hidden=!0,h.textContent=E(t[m])}),this.hide()}drawErrors(t){this.lines.forEach(({whisker:e,total:n},s)=>{let i=t[s];n.title=i?Ft(i):"",!(!i||
i.low===null)&&(e.hidden=!1,e.style.left=`${this.percent(i.low)}%`,e.style.width=`${this.percent(i.high)-this.percent(i.low)}%`)})}percent(t){return this.top>0?
Math.min(100,Math.max(0,100*t/this.top/1.08)):0}};var U=class{element=p("p",{class:"note unmeasured",hidden:!0});draw(t){this.element.hidden=t==="",this.element.textContent=t}};function Ve(r){return p("small",{
class:"tag",title:r},"never measured together")}var $o="fill fill-opacity stroke stroke-width stroke-opacity opacity font-size visibility".split(" "),Ro="system-ui, sans-serif",qe=20,Zt=170,Fo=26,Ke=12;function We(r,t,e){
let[n,s]=["width","height"].map(l=>Number(r.getAttribute(l))),i=Lo(r);for(let[l,u]of Object.entries({x:Ke,y:44,width:n,height:s}))i.setAttribute(l,`${u}`);let o=yt(
"--ink"),a={width:n+2*Ke,height:s+56+18*e.length};return w("svg",{xmlns:"http://www.w3.org/2000/svg",...a,"font-family":Ro,"font-size":12},w("rect",{...a,fill:yt(
"--paper")}),w("text",{x:Ke,y:28,"font-size":16,"font-weight":600,fill:o},t),i,...e.map((l,u)=>w("text",{x:Ke,y:s+60+18*u,fill:yt("--quiet")},l)))}function xs(r,t,e){
let s=Math.max(1e-9,...Array.from(t),...e.map(({high:a})=>a??0)),i=a=>Zt+Math.max(a,0)/s*(640-Zt-90),o=r.flatMap((a,l)=>{let u=l*qe,{low:h,high:c}=e[l]??{low:null,
high:null},m=(v,x,M={})=>w("text",{x:v,y:u+14,fill:yt("--ink"),"font-size":12,...M},x),f=u+qe/2,g=h===null?"":[h,c].map(v=>`M${i(v)} ${f-4}v8`).join(""),b=h===null?
"":`M${i(h)} ${f}H${i(c)}${g}`;return[m(Zt-8,Le(a,Fo),{"text-anchor":"end"}),w("rect",{x:Zt,y:u+3,width:i(t[l])-Zt,height:qe-6,fill:yt("--fill")}),w("path",{d:b,
fill:"none",stroke:yt("--paper"),"stroke-width":3.5}),w("path",{d:b,fill:"none",stroke:yt("--band"),"stroke-width":1.5}),m(Math.max(i(t[l]),i(c??0))+8,E(t[l]))]});
return w("svg",{width:640,height:r.length*qe+4},...o)}function yt(r){return getComputedStyle(document.documentElement).getPropertyValue(r).trim()}function Lo(r){
let t=r.cloneNode(!0);if(!r.isConnected)return t;let[e,n]=[r,t].map(s=>[s,...s.querySelectorAll("*")]);return e.forEach((s,i)=>{let o=getComputedStyle(s);for(let a of $o)
n[i].setAttribute(a,o.getPropertyValue(a));for(let a of["class","tabindex","role","aria-label","aria-labelledby","aria-describedby"])n[i].removeAttribute(a)}),t}function Ye(r,t,e){let n=p("tbody",{role:"rowgroup"},...e);return te(r,p("tr",{role:"row"},...t),n)}function te(r,t,e){return p("div",{class:"scroll",tabindex:0,
role:"region","aria-label":r},p("table",{role:"table"},p("caption",{class:"unseen"},r),p("thead",{role:"rowgroup"},t),e))}function ct(...r){return p("tr",{role:"\
row"},...r)}function rt(r,...t){return p("th",{scope:"col",role:"columnheader",...r},...t)}function G(r,t,...e){return p(r,{...r==="th"?{scope:"row",role:"rowhe\
ader"}:{role:"cell"},...t},...e)}function Y({measure:r,counted:t}){let e=/^SUM\((.*)\)$/s.exec(r);return r==="COUNT(*)"?t:e?`sum of ${e[1]}`:r.replace(/^COUNT\((.*)\)$/,"$1")}function As(r,t){let e=t.
measure==="COUNT(*)",n=Y(t),s=m=>e?`${m} ${n}`:`the ${n} is ${m}`,i=m=>m[0].toUpperCase()+m.slice(1),{value:o,low:a,high:l}=r;if(a===null)return`${i(s(`about ${E(
o)}`))}; the error is unknown`;if(l-a<1)return i(s(e?E(o):E(o,2)));let u=10**Math.max(0,Math.round(Math.log10((l-a)/2))),h=Math.round(o/u)*u;if(a<=0)return i(s(
`between 0 and ${E(Es(l))}`));let c=Es(Math.max(l-h,h-a));return`${i(s(`about ${E(h)}`))}, give or take ${E(c)}`}function Es(r){let t=10**Math.max(0,Math.floor(
Math.log10(r))-1);return Math.ceil(r/t-1e-9)*t}function J(r,t,e=[]){if(r.note(t,e)==="")return"";let n=t.flatMap(i=>Object.keys(i).map(Number)),s=[...new Set([...n,
...e])].sort((i,o)=>i-o);return Po(s.map(i=>r.attributes[i].title))}function Po(r){let t=Do(r),e="the numbers assume that they are independent.";return r.length===
2?`${t} were never measured together: ${e}`:`No two of ${t} were measured together: ${e}`}function Do(r){return r.length<2?r.join(""):`${r.slice(0,-1).join(", ")}\
 and ${r[r.length-1]}`}function Lt(r,t){let e=Object.entries(t).map(([n,s])=>{let i=r.attributes[Number(n)];return`${i.title} ${i.describeIntervals(s)}`});return e.
length?e.join("; "):`all ${r.facts.counted}`}var ze=class{constructor(t){this.store=t;let e=O("quantiles");this.input=p("input",{type:"text",inputmode:"decimal",onchange:()=>this.read()}),this.element=p("s\
ection",{class:"panel",id:"quantiles","aria-labelledby":e},p("header",{},p("h2",{id:e},"Quantiles"),p("label",{class:"chooser"},p("span",{},"Percent below"),this.
input)),this.problem,te("Quantiles of what is selected",this.head,this.body),p("p",{class:"note"},"In brackets: the bounds that the 95 % intervals of the totals\
 below and above allow. Missing and other values are left out."),this.foot.element)}store;element;input;problem=p("p",{class:"problem",role:"alert",hidden:!0});head=p(
"tr",{role:"row"});body=p("tbody",{role:"rowgroup"});foot=new U;rows=[];get axes(){let{shown:t,engine:e}=this.store;return t.filter(n=>e.attributes[n].ordered)}draw(){
let{shares:t,engine:e,filters:n}=this.store;this.element.hidden=this.axes.length===0,document.activeElement!==this.input&&(this.input.value=t.map(ks).join(", "));
let s=t.map(o=>`${ks(o)} %`);this.head.replaceChildren(rt({class:"left"},"attribute"),...s.map(o=>rt({},o)));let i=this.axes.map(o=>J(e,[n],[o]));this.foot.draw(
i.filter(Boolean).join(" ")),this.rows=this.axes.map((o,a)=>{let{title:l,unit:u}=e.attributes[o],h=G("th",{class:"left"},u?`${l} (${u})`:l);return i[a]&&h.append(
Ve(i[a])),ct(h,...s.map(c=>G("td",{"data-label":c},"…")))}),this.body.replaceChildren(...this.rows)}*fill(){let{shares:t,engine:e,filters:n}=this.store,{axes:s,
rows:i}=this;for(let[o,a]of s.entries()){let l=e.attributes[a],u=new W(e,a,[n]);t.forEach((h,c)=>{let m=u.quantile(h);i[o].children[c+1].textContent=m===null?"–":
ee(l,m)}),yield}for(let[o,a]of s.entries()){let l=e.attributes[a],u=this.store.engineFor(t.length*s.length);(yield*new W(u,a,[n]).boundedQuantiles(t)).forEach((c,m)=>{
c.value!==null&&i[o].children[m+1].append(p("small",{},Uo(l,c)))})}}read(){let t=this.input.value.split(/[\s,;%]+/).filter(Boolean).map(n=>Number(n)/100),e=t.length>
0&&t.length<=20&&t.every(n=>n>=0&&n<=1);this.problem.hidden=e,this.problem.textContent=e?"":"give percentages from 0 to 100, such as 25, 50, 75",e&&this.store.choose(
"shares",t)}};function ee(r,t){if(r.isCalendar)return r.brief(t);let e=(r.edge(r.count)-r.edge(0))/1e3,n=Math.max(0,Math.min(6,-Math.floor(Math.log10(e))));return t.
toLocaleString("en-US",{maximumFractionDigits:n,useGrouping:!1})}function Uo(r,{low:t,high:e}){return t===null||e===null?"":` (${ee(r,t)} to ${ee(r,e)})`}function ks(r){
return Number((r*100).toFixed(6))}var Bo={integer:"number",number:"number",date:"date",timestamp:"text"},Qe=class{constructor(t,e){this.attribute=t;this.choose=e;let n=i=>p("input",{type:Bo[t.type],
step:t.type==="number"?"any":null,"aria-label":`${t.title} ${i}`,onchange:()=>this.read()});this.low=n("from"),this.high=n("to"),this.element=p("div",{class:"en\
ds"},this.low,p("span",{"aria-hidden":"true"},"to"),this.high,this.problem);let s=[t.text(t.edge(0)),t.text(t.edge(t.count)-t.step)];[this.low.placeholder,this.
high.placeholder]=s}attribute;choose;element;low;high;problem=p("p",{class:"problem",role:"alert",hidden:!0});draw(t){let{attribute:e}=this;this.low.value=t?e.text(
e.tickAt(t[0])):"",this.high.value=t?e.text(e.tickAt(t[1])-e.step):"",this.problem.hidden=!0}read(){let[t,e]=[this.low,this.high].map(n=>n.value.trim()===""?null:
n.value);try{if(this.problem.hidden=!0,t===null&&e===null)this.choose(null);else{let[n]=dt(this.attribute,t,e);if(!n)throw new d(`${this.attribute.name}: no val\
ue lies in that range`);this.choose(n)}}catch(n){if(!(n instanceof d))throw n;this.problem.textContent=n.message,this.problem.hidden=!1}}};var Ho=100,De=400,Zn=1e3,Xe=class{constructor(t,e){this.store=t;this.attribute=e;let n=O("card"),{axis:s,title:i,unit:o,description:a}=e;this.clear=p("button",{
type:"button",class:"quiet",onclick:()=>t.filter(s,null)},"Clear"),this.grain=e.isCalendar?new Pe(t,e):null,this.inputs=e.ordered?new Qe(e,h=>this.choose(h,this.
ticked())):null;let l=He(i,{name:()=>Ge(i),picture:()=>this.picture(),table:()=>this.table()}),u=p("h3",{id:n},i,o?p("small",{},o):null);this.element=p("section",
{class:"card","aria-labelledby":n},p("header",{},u,p("span",{class:"acts"},this.clear,l)),a?p("p",{class:"note"},a):null,this.grain?.element,this.note.element,this.
body),this.arrange()}store;attribute;element;bins=[];values=new Float64Array(0);answers=[];regular=[];clear;note=new U;grain;body=p("div",{});inputs;histogram=null;named=null;arrange(){
let{attribute:t,store:e}=this,n=Ot(e,t,t.ordered?Ho:Zn,De);if(String(n)===String(this.bins))return;this.bins=n,this.regular=n.filter(([u])=>u<t.count);let s=n.slice(
this.namedFrom);this.histogram=t.ordered?new Be(t,this.regular,u=>this.choose(u,this.ticked())):null,this.named=s.length?new _e(t,s,u=>this.choose(this.range(),
u)):null;let i=!t.ordered&&t.count>Zn,[o,a]=[Zn,t.count].map(u=>E(u)),l=[this.histogram?.element,this.inputs?.element,this.named?.element,t.isCalendar?p("p",{class:"\
note"},kr(t,this.regular)):null,i?p("p",{class:"note"},`The ${o} largest of ${a} names; ask for others in SQL.`):null];this.body.replaceChildren(...l.filter(u=>u instanceof
HTMLElement))}draw(t){let{engine:e,filters:n}=this.store;this.values=t,this.answers=[];let s=this.attribute.axis in n;this.element.classList.toggle("filtered",s),
this.clear.hidden=!s,this.note.draw(J(e,[n],[this.attribute.axis])),this.grain?.draw(),this.histogram?.draw(t.subarray(0,this.regular.length),this.range(),s),this.
inputs?.draw(this.range()),this.named?.draw(t.subarray(this.namedFrom),this.ticked(),s,Math.max(...t))}drawErrors(t,e){this.answers=t;let n=e.flatMap(a=>a===null?
[]:[ee(this.attribute,a)]),[s,i,o]=n;this.histogram?.summarize(n.length?`median ${i}, interquartile range ${s} to ${o}`:""),this.histogram?.drawErrors(t.slice(0,
this.regular.length)),this.named?.drawErrors(t.slice(this.namedFrom))}resize(){this.histogram?.resize()}picture(){let{engine:t,filters:e}=this.store,{title:n,unit:s,
axis:i}=this.attribute,o=Math.min(this.bins.length,60),a=this.bins.slice(0,o).map(c=>D(this.attribute,c)),l=this.histogram?.picture??xs(a,this.values,this.answers),
{[i]:u,...h}=e;return We(l,s?`${n} (${s})`:n,[`${t.facts.title}: ${Y(t.facts)} with 95 % intervals`,Lt(t,h)])}table(){let t=this.bins.map((e,n)=>{let{low:s,high:i}=this.
answers[n]??{low:null,high:null};return[D(this.attribute,e),String(this.values[n]),String(s??""),String(i??"")]});return[[this.attribute.title,Y(this.store.engine.
facts),"low","high"],...t]}get namedFrom(){return this.attribute.ordered?this.regular.length:0}range(){let t=this.store.filters[this.attribute.axis];if(!t||!this.
attribute.ordered)return null;let e=t.filter(([n])=>n<this.attribute.count);return e.length===0?null:[e[0][0],Math.min(e[e.length-1][1],this.attribute.count)]}ticked(){
let t=this.store.filters[this.attribute.axis]??[];return(this.attribute.ordered?this.attribute.special:this.bins.map(([n])=>n)).filter(n=>t.some(([s,i])=>s<=n&&
n<i))}choose(t,e){let n=e.map(s=>[s,s+1]);t&&t[0]<t[1]&&n.unshift(t),this.store.filter(this.attribute.axis,n.length?$(n):null)}};function Ms(r,t,e,{measure:n,counted:s}){let i=n==="COUNT(*)",[o,a,l]=i?["more","fewer",s]:["a larger","a smaller",n],{value:u,low:h,high:c}=r,m=`Cannot tell wh\
ether ${t} or ${e} has ${o} ${l}`;if(u===null||h===null||c===null)return`${m}: the error is unknown.`;let f=M=>E(M,ht(r));if(h===0&&c===0)return`${t} and ${e} a\
re the same.`;if(h<=0&&c>=0)return`${m}: the difference is ${f(h)} to ${f(c)} (95 %).`;let g=h>0?o:a,[b,v]=h>0?[h,c]:[-c,-h],x=i?`${f(Math.abs(u))} ${g}`:`by ${f(
Math.abs(u))}`;return`${t} has ${g} ${l} than ${e}: ${x} (${f(b)} to ${f(v)}, 95 %).`}var Ss=["A","B"],Je=class{constructor(t){this.store=t;let e=O("compare"),n=i=>p("button",{type:"button",onclick:()=>this.take(i)},`Use the selection as ${Ss[i]}`),
s=p("button",{type:"button",class:"quiet",onclick:()=>this.swap()},"Swap");this.element=p("section",{class:"panel compare","aria-labelledby":e},p("header",{},p(
"h2",{id:e},"Compare two selections")),this.verdict,this.place,this.note.element,p("p",{class:"acts"},n(0),n(1),s),p("p",{class:"note"},"Select with the charts,\
 take the selection as A, select something else, take it as B."))}store;element;verdict=p("p",{class:"verdict",role:"status"});place=p("div",{});note=new U;take(t){
let e=[...this.store.compared];e[t]=this.store.filters,this.store.choose("compared",e)}swap(){let[t,e]=this.store.compared;this.store.choose("compared",[e,t])}draw(){
let{engine:t,compared:e}=this.store,n=e.map(b=>Lt(t,b)),s=be(t,[e[0]],[e[1]]);this.verdict.textContent=Ms(s,n[0],n[1],t.facts);let i=Y(t.facts),o=(b,v,x,M)=>ct(
G("th",{class:"left"},b),G("td",{class:"left wraps","data-label":"selection"},v),G("td",{"data-label":i},x),G("td",{"data-label":"95 % interval"},M)),a=e.map((b,v)=>{
let x=t.answer(b);return o(Ss[v],n[v],wt(x),Rt(x))}),{value:l,low:u,high:h}=s,c=b=>E(b??0,ht(s)),m=u===null||h===null?"error unknown":`${c(u)} to ${c(h)}`;a.push(
o("A − B","difference",c(l),m));let g=["","selection",i,"95 % interval"].map((b,v)=>rt({class:v<2?"left":null},b||p("span",{class:"unseen"},"side")));this.place.
replaceChildren(Ye("Two selections compared",g,a)),this.note.draw(e.map(b=>J(t,[b])).find(Boolean)??"")}};var Ze=class{constructor(t){this.store=t;this.clear=p("button",{type:"button",class:"quiet",onclick:()=>t.clear()},"Clear all"),this.link=p("button",{type:"butt\
on",class:"quiet",onclick:()=>this.copy()},"Copy link"),this.element=p("section",{class:"bar","aria-label":"Selected"},p("div",{class:"bar-in"},p("div",{},this.
words,p("p",{class:"figure"},p("span",{class:"measure"},"estimate"),this.value,this.range,this.part)),p("div",{class:"filters"},this.chips,p("span",{class:"acts"},
this.clear,this.link))),this.note.element,this.spoken)}store;element;words=p("p",{class:"count",id:"words"});value=p("strong",{id:"count"});range=p("span",{class:"\
range",id:"range"});note=new U;part=p("span",{class:"part"});spoken=p("p",{class:"unseen",role:"status","aria-live":"polite"});chips=p("ul",{class:"chips","aria\
-label":"Filters"});clear;link;timer=0;draw(t,e){let{engine:n,filters:s}=this.store,i=t.low!==null;this.words.textContent=As(t,n.facts),this.value.textContent=wt(
t),this.range.textContent=i?`95 % interval ${Rt(t)}`:"error unknown";let o=J(n,[s]);this.note.draw(o);let a=e.value>0?100*t.value/e.value:0,l=Object.keys(s).length>
0;this.part.textContent=l&&e.value>0?`${E(a,a<10?1:0)} % of all`:"",this.clear.hidden=!l,this.chips.replaceChildren(...this.chipsOf()),clearTimeout(this.timer),
this.timer=window.setTimeout(()=>{let u=i?`between ${Rt(t)}`:"error unknown";this.spoken.textContent=[`${wt(t)} selected, ${u}`,o].filter(Boolean).join("; ")},400)}chipsOf(){
let{engine:t,filters:e}=this.store,n=Object.entries(e).map(([s,i])=>{let o=t.attributes[Number(s)],a=o.describeIntervals(i),l={type:"button",onclick:()=>this.store.
filter(Number(s),null)};return p("li",{},p("span",{class:"chip-name"},o.title),` ${a} `,p("button",{...l,"aria-label":`Remove the filter on ${o.title}`},"×"))});
return n.length?n:[p("li",{class:"none"},"Drag over a chart or tick a name.")]}async copy(){try{await navigator.clipboard.writeText(location.href),this.link.textContent=
"Copied"}catch{this.link.textContent="Copy it from the address bar"}setTimeout(()=>{this.link.textContent="Copy link"},2e3)}};function ne(r,t,e,{none:n=null,only:s=()=>!0}={}){let i=r.engine.attributes.filter(s).map(l=>p("option",{value:l.axis},l.title));n!==null&&i.unshift(p("option",
{value:""},n));let o=O("choose"),a=p("select",{id:o,onchange:()=>e(a.value===""?null:Number(a.value))},...i);return{element:p("span",{class:"chooser"},p("label",
{for:o},t),a),draw(l){a.value=String(l??"")}}}var Is=50,Pt=class{constructor(t,e,n){this.scheduler=t;this.kind=e;this.more=p("button",{type:"button",class:"quiet",onclick:()=>this.showMore()},"Show more"),this.
save=p("button",{type:"button",onclick:()=>this.download()},"Download CSV"),this.element=p("div",{class:"result"},te(n,this.head,this.body),this.foot.element,p(
"p",{class:"acts"},this.save,this.more,this.note)),this.element.hidden=!0}scheduler;kind;element;body=p("tbody",{role:"rowgroup"});head=p("tr",{role:"row"});more;save;note=p(
"span",{class:"note"});foot=new U;rows=[];titles=[];sorted=null;shown=Is;about="";show({columns:t,rows:e,note:n=""}){Object.assign(this,{rows:e,sorted:null,shown:Is,
about:n}),this.element.hidden=!1;let s=t.filter(et).length===1;this.titles=t.flatMap(i=>et(i)?Go(i,s):[i]),this.head.replaceChildren(...this.titles.map(i=>rt({class:"\
text"in i?"left":null},p("button",{type:"button",onclick:()=>this.sort(i)},i.name)))),this.fill()}sort(t){let e=this.sorted?.title===t?!this.sorted.down:!("text"in
t);this.sorted={title:t,down:e},this.rows.sort((n,s)=>Yn(t.key(n),t.key(s),{down:e})),[...this.head.children].forEach((n,s)=>{this.titles[s]===t?n.setAttribute(
"aria-sort",e?"descending":"ascending"):n.removeAttribute("aria-sort")}),this.fill()}showMore(){this.shown*=4,this.fill()}fill(){let t=this.rows.slice(0,this.shown),
e=t.map(s=>ct(...this.titles.map(i=>jo(s,i))));this.body.replaceChildren(...e),this.foot.draw(Ts(this.about)),this.more.hidden=this.rows.length<=this.shown;let n=this.
rows.length===1?"row":"rows";this.note.textContent=this.more.hidden?`${E(this.rows.length)} ${n}`:`${E(t.length)} of ${E(this.rows.length)} ${n}`,this.scheduler.
start(this.kind,this.errors(t,e),0)}*errors(t,e){let n=new Map;for(let i=0;i<t.length;i+=1){for(let o=0;o<this.titles.length;o+=1){let a=this.titles[o];if("text"in
a)continue;let{of:l,end:u}=a,h=yield*l.figure(t[i]),c=e[i].children[o];c.textContent=_o(h,u,l),h.note&&n.set(e[i],h.note)}yield}let[s]=n.values();if(this.foot.draw(
Ts(s??this.about)),n.size!==e.length)for(let[i,o]of n)i.firstElementChild?.append(Ve(o))}csv(){let t=[this.titles.map(({name:e})=>e)];for(let e of this.rows){let n=s=>"\
text"in s?s.text(e):String(ut(s.of.figure(e))[s.end]??"");t.push(this.titles.map(n))}return Jn(t)}download(){Jt(`${this.kind}.csv`,new Blob([this.csv()],{type:Xn}))}};
function Go(r,t){let e=(s,i)=>({name:i,of:r,end:s,key:o=>ut(r.figure(o))[s]}),n=["low","high"].map(s=>e(s,t?s:`${r.name} ${s}`));return[{...e("value",r.name),key:s=>r.
value(s)},...n]}function jo(r,t){if("text"in t)return G("th",{class:"left"},t.text(r)||"(empty)");let e=t.end==="value"&&t.of.digits===0?t.of.value(r):null;return G(
"td",{"data-label":t.name},e===null?"…":E(e))}function _o(r,t,{digits:e,print:n}){let s=r[t];return s===null?t==="high"&&r.low!==null?"no limit":r.value===null&&
r.low===null?"none":"unknown":n?.(s)??E(s,r.low===null?e:ht(r))}function Ts(r){return r&&`${r[0].toUpperCase()}${r.slice(1)}.`}var Vo=100,qo=1e3,Cs=["Group by","and by","and by"],tn=class{constructor(t,e){this.store=t;let n=O("groups");this.choosers=Cs.map((s,i)=>ne(t,s,o=>this.choose(i,
o),{none:i?"–":null})),this.table=new Pt(e,"groups","Totals by group"),this.element=p("section",{class:"panel","aria-labelledby":n},p("header",{},p("h2",{id:n},
"Table"),...this.choosers.map(({element:s})=>s)),this.problem,this.table.element)}store;element;choosers;table;problem=p("p",{class:"problem",role:"alert",hidden:!0});choose(t,e){
let n=[...this.store.group];e===null?n.splice(t,1):n[Math.min(t,n.length)]=e,this.store.choose("group",[...new Set(n)].slice(0,Cs.length))}draw(){let{engine:t,filters:e,
group:n}=this.store;this.choosers.forEach(({element:s,draw:i},o)=>{s.hidden=o>n.length||o>=t.attributes.length,i(n[o])});try{this.problem.hidden=!0;let s=n.map(
l=>this.keyOf(t.attributes[l])),i=new Nt(t.jointly(1),[e],s);this.store.simultaneous&&(i.engine.together=i.rows.length);let o=Tt({kind:"total",condition:X},i),a=s.
map((l,u)=>Se(l.attribute.title,l,u));this.table.show({columns:[...a,{...o,name:Y(t.facts)}],rows:i.rows})}catch(s){if(!(s instanceof d))throw s;this.problem.textContent=
s.message,this.problem.hidden=!1,this.table.element.hidden=!0}}keyOf(t){let e=t.ordered?Ot(this.store,t,Vo,qo):t.displayBins(1/0),n=e.map(s=>D(t,s));return Fr(t,
e,n)}};var Ko={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]},en=class{constructor(t,e){this.map=t;this.store=t.store,this.told=p("p",{class:"told",
id:e,"aria-live":"polite"});let{picture:n}=t;n.append(this.cursor),n.addEventListener("keydown",s=>this.key(s)),n.addEventListener("pointerdown",s=>this.press(s)),
n.addEventListener("pointermove",s=>this.move(s)),n.addEventListener("pointerup",()=>this.release()),n.addEventListener("pointercancel",()=>{this.held=null});for(let s of[
"pointerleave","blur"])n.addEventListener(s,()=>this.say(null))}map;told;store;cursor=w("rect",{class:"cursor",visibility:"hidden"});place=[0,0];held=null;dragged=!1;press(t){
t.button===0&&(this.held=this.map.cellAt(t),t.pointerType==="mouse"&&this.map.picture.setPointerCapture(t.pointerId))}move(t){this.say(this.map.cellAt(t)),!(!this.
held||String(this.held)===String(this.place))&&(this.dragged=!0,this.keep(this.held,this.place))}release(){this.held&&!this.dragged&&this.toggle(this.held),this.
held=null,this.dragged=!1}key(t){let e=Ko[t.key];if(e)this.say([this.place[0]+e[0],this.place[1]+e[1]]);else if(t.key==="Enter"||t.key===" ")this.toggle(this.map.
nearest(this.place));else if(t.key==="Escape")this.keepNothing();else return;t.preventDefault()}toggle(t){let{filters:e}=this.store;this.map.axes.every((s,i)=>String(
e[s])===String(this.map.bins[i][t[i]]))?this.keepNothing():this.keep(t,t)}keep(t,e){this.map.axes.forEach((n,s)=>{let[i,o]=[t[s],e[s]].sort((a,l)=>a-l);this.store.
filter(n,$(this.map.bins[s].slice(i,o+1)))})}keepNothing(){for(let t of this.map.axes)this.store.filter(t,null)}say(t){C(this.cursor,{visibility:t?"visible":"hi\
dden"}),this.told.textContent=t?this.words(this.map.nearest(t)):""}words(t){let{bins:e,cell:n,attributes:s}=this.map;this.place=t;let[i,o]=this.map.corner(...t);
return C(this.cursor,{x:i,y:o,width:n[0],height:n[1]}),`${s.map((l,u)=>`${l.title} ${D(l,e[u][t[u]])}`).join(", ")}: ${Ft(this.map.answerAt(t))}`}};var Dt=class{constructor(t,e,n){this.store=t;this.name=e;this.edge=n;let s=O("map"),i={tabindex:0,role:"application","aria-labelledby":s,"aria-describedby":`${s}\
-told`};this.picture=w("svg",{class:"map",...i},this.axis,this.cells,this.marks,this.frame);let o=new en(this,`${s}-told`);this.plot.append(this.picture);let a=He(
e,{name:()=>Ge(this.title),picture:()=>this.savedPicture(),table:()=>this.table()});this.header.append(p("h2",{id:s},e),this.choosers,a),this.element=p("section",
{class:"panel","aria-labelledby":s},this.header,this.note.element,this.plot,o.told,this.legend)}store;name;edge;element;picture;bins=[[],[]];cell=[0,0];values=new Float64Array(
0);answers=null;width=0;height=0;axis=w("g",{class:"axis","aria-hidden":"true"});header=p("header",{});choosers=p("span",{class:"choosers"});legend=p("p",{class:"\
legend"});note=new U;cells=w("g",{"aria-hidden":"true"});marks=w("g",{class:"marks","aria-hidden":"true"});frame=w("path",{class:"map-brush"});plot=p("div",{class:"\
plot"});get attributes(){return this.axes.map(t=>this.store.engine.attributes[t])}get title(){let[t,e]=this.attributes;return`${t.title} by ${e.title}`}compute(){
return this.bins=this.binsNow(),this.store.engine.grid(this.axes,this.bins,this.store.filters)}draw(t){this.values=t,this.answers=null,this.note.draw(J(this.store.
engine,[this.store.filters],this.axes)),this.width||(this.width=this.room()),this.paint()}resize(){let t=this.room();!this.values.length||t===this.width||(this.
width=t,this.paint(),this.answers&&this.drawErrors(this.answers))}answerAt([t,e]){let{engine:n,filters:s}=this.store,i=t*this.bins[1].length+e;return this.answers?
this.answers[i]:this.store.engineFor(this.values.length).answer(n.narrowed(s,this.axes,[this.bins[0][t],this.bins[1][e]]),this.values[i])}drawErrors(t){this.answers=
t}room(){return Math.max(240,Math.floor(this.plot.clientWidth))}paint(){let[t,e]=this.bins.map(o=>o.length);this.cell=this.cellSize(this.width),this.height=this.
edge.top+this.edge.bottom+this.cell[1]*e,C(this.picture,{width:this.width,height:this.height,viewBox:`0 0 ${this.width} ${this.height}`});let n=Math.max(...this.
values,0),s=Math.min(...this.cell)>6?.6:0,i=[];this.values.forEach((o,a)=>{let l=n>0?Math.sqrt(Math.max(o,0)/n):0;if(l<.004)return;let[u,h]=this.corner(Math.floor(
a/e),a%e),c={width:Math.max(.5,this.cell[0]-s),height:this.cell[1]-s};i.push(w("rect",{class:"cell",x:u,y:h,...c,"fill-opacity":l.toFixed(3)}))}),this.cells.replaceChildren(
...i),this.marks.replaceChildren(),this.paintAxes(),this.paintFrame(),C(this.picture,{"data-cells":t*e}),this.legend.replaceChildren(p("span",{class:"ramp","ari\
a-hidden":"true"}),`0 to ${Re(n)} a cell, shaded by the square root`)}paintFrame(){let t=this.axes.some(i=>i in this.store.filters),[e,n]=t?this.axes.map((i,o)=>this.
runs(i,o)):[[],[]],s=e.flatMap(([i,o])=>n.map(([a,l])=>{let[u,h]=this.corner(i,l),[c,m]=[(o-i+1)*this.cell[0],(l-a+1)*this.cell[1]];return`M${u},${h}h${c}v${m}h${-c}\
Z`}));C(this.frame,{d:s.length?s.join(""):null})}runs(t,e){let n=this.store.filters[t]??[[0,1/0]],s=[];return this.bins[e].forEach((i,o)=>{if(!n.some(([l,u])=>l<
i[1]&&u>i[0]))return;let a=s[s.length-1];a?.[1]===o-1?a[1]=o:s.push([o,o])}),s}cellAt(t){let e=this.picture.getBoundingClientRect(),n=Math.floor((t.clientX-e.left-
this.edge.left)/this.cell[0]),s=this.bins[1].length-1-Math.floor((t.clientY-e.top-this.edge.top)/this.cell[1]);return this.nearest([n,s])}nearest([t,e]){let n=(s,i)=>Math.
max(0,Math.min(this.bins[i].length-1,s));return[n(t,0),n(e,1)]}corner(t,e){return[this.edge.left+t*this.cell[0],this.edge.top+(this.bins[1].length-1-e)*this.cell[1]]}savedPicture(){
let{engine:t,filters:e}=this.store,n=Object.fromEntries(Object.entries(e).filter(([s])=>!this.axes.includes(Number(s))));return We(this.picture,this.title,[`${t.
facts.title}: ${Y(t.facts)}; ${this.legend.textContent}`,Lt(t,n),...[this.note.element.textContent??""].filter(Boolean)])}table(){let[t,e]=this.attributes,n=this.
bins[0].flatMap((s,i)=>this.bins[1].map((o,a)=>{let{value:l,low:u,high:h}=this.answerAt([i,a]);return[D(t,s),D(e,o),String(l),String(u??""),String(h??"")]}));return[
[t.title,e.title,Y(this.store.engine.facts),"low","high"],...n]}};var Wo=32,Yo=64,zo=60,mt={left:92,right:8,top:6,bottom:34},Ns=74,tr=6.6,Qo=[1,2,4,5,8,10,16],nn=class extends Dt{across;up;constructor(t){super(t,"Heat map",{...mt}),
this.across=ne(t,"Across",e=>this.turn(e??0,t.map[1])),this.up=ne(t,"Up",e=>this.turn(t.map[0],e??0)),this.choosers.append(this.across.element,this.up.element)}get axes(){
return this.store.map}turn(t,e){let[n,s]=this.store.map;this.store.choose("map",t===e?[s,n]:[t,e])}binsNow(){return this.attributes.map((t,e)=>{let n=Ot(this.store,
t,t.ordered?Wo:zo,Yo);return e===1&&!t.ordered?n.reverse():n})}cellSize(t){let[e,n]=this.bins.map(s=>s.length);return this.edge.bottom=this.isTilted((t-mt.left-
mt.right)/e)?Ns:mt.bottom,[(t-mt.left-mt.right)/e,Math.max(9,Math.min(26,420/n))]}isTilted(t){let[e]=this.attributes,n=this.bins[0].map(s=>bt(e,this.bins[0],s).
length);return!e.ordered&&Math.max(...n)*tr+5>t}draw(t){this.across.draw(this.store.map[0]),this.up.draw(this.store.map[1]),super.draw(t)}drawErrors(t){super.drawErrors(
t);let e=this.bins[1].length,n=[];t.forEach((i,o)=>{if(i.low===null||i.value<1||i.high-i.low<i.value)return;let[a,l]=this.corner(Math.floor(o/e),o%e);n.push(w("\
circle",{cx:a+this.cell[0]/2,cy:l+this.cell[1]/2,r:1.3}))}),this.marks.replaceChildren(...n);let s=t.some(i=>i.low===null);this.legend.append(s?"; errors are un\
known":"; a dot: the error is more than half the total")}paintAxes(){let[t,e]=this.attributes,[n,s]=this.bins,i=[],o=(b,v,x,M,N)=>w("text",N,Le(bt(b,this.bins[v],
x),M),w("title",{},D(b,x))),a=0,l=this.edge.bottom===Ns,u=this.height-this.edge.bottom+14,h=Math.max(...n.map(b=>bt(t,n,b).length))*tr+8,c=t.ordered?Qo.find(b=>b*
this.cell[0]>=h)??32:1;n.forEach((b,v)=>{if(v%c&&b[0]<t.count)return;let x=this.corner(v,0)[0]+this.cell[0]/2,M=l?6:bt(t,n,b).length*tr/2;if(x-M<a||x+M>this.width)
return;a=x+M+(t.ordered?8:0);let N={x:x+4,y:u-4,"text-anchor":"end",transform:`rotate(-35 ${x+4} ${u-4})`};i.push(o(t,0,b,13,l?N:{x,y:u,"text-anchor":"middle"}))});
let m=Math.ceil(13/this.cell[1]),f=-1/0;for(let b=s.length-1;b>=0;b-=1){let v=s[b],x=this.corner(0,b)[1]+this.cell[1]/2+4;b%m&&v[0]<e.count||x-f<11.5||(i.push(o(
e,1,v,13,{x:mt.left-6,y:x,"text-anchor":"end"})),f=x)}let g={x:(mt.left+this.width)/2,y:this.height-4,"text-anchor":"middle"};i.push(w("text",{...g,class:"axis-\
name"},t.title)),this.axis.replaceChildren(...i)}};function Os(){let r=(...o)=>w("svg",{width:22,height:16,viewBox:"0 0 22 16","aria-hidden":"true"},...o),t=w("rect",{class:"column",x:6,y:2,width:10,height:14}),
e=w("rect",{class:"column out",x:6,y:2,width:10,height:14}),n=w("path",{class:"band bars",d:"M11,2V14M7,2h8M7,14h8"}),s=w("rect",{class:"band",x:2,y:4,width:18,
height:8}),i=[[r(t),"estimate"],[r(n),r(s),"95 % interval: it holds the true number in 95 of 100 cases"],[r(e),"not selected"]];return p("ul",{class:"key","aria\
-label":"Legend of the charts"},...i.map(o=>p("li",{},...o)))}var Xo=12,rn=class{constructor(t){this.store=t;let{attributes:e}=t.engine;this.boxes=e.map(({axis:s})=>p("input",{type:"checkbox",onchange:()=>this.toggle(s,this.
boxes[s].checked)})),this.items=e.map((s,i)=>p("li",{},p("label",{},this.boxes[i],p("span",{},s.title),p("small",{},`${E(s.size)} ${s.size===1?"value":"values"}`))));
let n=p("input",{type:"search",placeholder:"Find an attribute","aria-label":"Find an attribute",oninput:()=>this.find(n.value)});this.simultaneous=p("input",{type:"\
checkbox","aria-describedby":"simultaneous-note",onchange:()=>t.choose("simultaneous",this.simultaneous.checked)}),this.element=p("details",{class:"options"},this.
summary,p("p",{class:"switch"},p("label",{},this.simultaneous,"Simultaneous intervals")),p("p",{class:"note",id:"simultaneous-note"},"All intervals of a chart, \
map or table then hold together in 95 of 100 cases. They are longer."),e.length>Xo?n:null,p("ul",{},...this.items))}store;element;boxes;items;summary=p("summary",
{});simultaneous;draw(){let{shown:t,engine:e,simultaneous:n}=this.store,s=n?", simultaneous intervals":"";this.summary.textContent=`Options: ${t.length} of ${e.
attributes.length} attributes shown${s}`,this.simultaneous.checked=n,this.boxes.forEach((i,o)=>{i.checked=t.includes(o)})}toggle(t,e){let n=this.store.shown.filter(
s=>s!==t);this.store.choose("shown",e?[...n,t].sort((s,i)=>s-i):n)}find(t){let e=t.trim().toLowerCase();this.store.engine.attributes.forEach(({name:n,title:s},i)=>{
this.items[i].hidden=!`${n} ${s}`.toLowerCase().includes(e)})}};var Jo=/^(.*?)(latitude|lat)$/,Zo=/^(.*?)(longitude|long|lon|lng)$/;function Rs(r){let t=$s(r,Zo,360);for(let[e,n]of $s(r,Jo,90)){let s=t.get(e);if(s!==void 0)return[s,n]}return null}function $s(r,t,e){let n=new Map;for(let s of r){
let{type:i,count:o,axis:a}=s;if(!(i!=="number"&&i!=="integer")&&!(o<2||s.edge(0)<-e||s.edge(o)>e+s.step))for(let l of[s.title,s.name]){let u=t.exec(ta(l));u&&!n.
has(u[1])&&n.set(u[1],a)}}return n}function ta(r){return r.replace(/\(.*\)$/,"").toLowerCase().replace(/[^\p{L}]/gu,"")}function Fs(r){return[111.195*Math.max(.05,
Math.cos(r*Math.PI/180)),111.195]}var ea=[96,72],na=560,q={left:46,right:10,top:6,bottom:24},ra=.25,sn=class extends Dt{constructor(e,n){super(e,"Map",q);this.axes=n;this.zoom=p("input",{type:"c\
heckbox",onchange:()=>e.choose("zoomed",this.zoom.checked)}),this.choosers.append(p("label",{class:"chooser"},this.zoom,p("span",{},"Zoom to the selection")))}axes;zoom;get title(){
return`Map by ${this.attributes.map(({title:e})=>e).join(" and ")}`}draw(e){this.zoom.checked=this.store.zoomed,super.draw(e),this.legend.append("; point at a c\
ell for its interval")}binsNow(){return this.attributes.map((e,n)=>{let[s,i]=this.window(e),o=Math.max(1,Math.ceil((i-s)/ea[n])),a=[];for(let l=s;l<i;l+=o)a.push(
[l,Math.min(l+o,i)]);return a})}window({axis:e,count:n}){let s=this.store.zoomed?this.store.filters[e]?.filter(([o])=>o<n)??[]:[],i=s[s.length-1];return i?[Math.
floor(s[0][0]),Math.min(Math.ceil(i[1]),n)]:[0,n]}ends(e){let n=this.bins[e],s=this.attributes[e];return[s.tickAt(n[0][0]),s.tickAt(n[n.length-1][1])]}get extent(){
let[[e,n],[s,i]]=[this.ends(0),this.ends(1)],[o,a]=Fs((s+i)/2);return[(n-e)*o,(i-s)*a]}cellSize(e){let[n,s]=this.extent,[i,o]=this.bins.map(l=>l.length),a=Math.
min(e-q.left-q.right,na*n/s);return[a/i,a*s/n/o]}paintAxes(){let[e,n]=this.bins.map(l=>l.length),[s,i]=[this.cell[0]*e,this.cell[1]*n],o=q.top+i,a=[w("rect",{class:"\
ground",x:q.left,y:q.top,width:s,height:i})];for(let l of Ls(this.ends(0),s/90)){let u=q.left+s*(l-this.ends(0)[0])/(this.ends(0)[1]-this.ends(0)[0]);a.push(w("\
line",{x1:u,x2:u,y1:q.top,y2:o})),a.push(w("text",{x:u,y:o+16,"text-anchor":"middle"},`${l}°`))}for(let l of Ls(this.ends(1),i/60)){let u=o-i*(l-this.ends(1)[0])/
(this.ends(1)[1]-this.ends(1)[0]);a.push(w("line",{x1:q.left,x2:q.left+s,y1:u,y2:u})),a.push(w("text",{x:q.left-5,y:u+4,"text-anchor":"end"},`${l}°`))}this.axis.
replaceChildren(...a),this.marks.replaceChildren(...this.scale(s,o))}scale(e,n){let[s]=this.extent,i=sa(s*ra),o=e*i/s,[a,l]=[q.left+10,n-10],u=i>=1?`${E(i)} km`:
`${E(1e3*i)} m`;return[w("path",{class:"scale",d:`M${a},${l-5}v5h${o}v-5`}),w("text",{class:"scale-text",x:a+o/2,y:l-6,"text-anchor":"middle"},u)]}};function sa(r){
let t=10**Math.floor(Math.log10(r));return([5,2].find(e=>e*t<=r)??1)*t}function Ls([r,t],e){let n=Fe(t-r,Math.max(2,Math.floor(e))),s=n.length>1?n[1]:t-r,i=Math.
max(0,Math.ceil(-Math.log10(s)+1e-9)),o=[];for(let a=Math.ceil(r/s);a*s<=t;a+=1)o.push(Number((a*s).toFixed(i))+0);return o}function Ps(r,t,e){let n=e.map(o=>Us(r.attributes[o].name)),s=Object.entries(t).map(([o,a])=>ia(r.attributes[Number(o)],a)),i=[`SELECT ${[...n,Kt(r.facts.measure)].
join(", ")}`,"FROM view"];return s.length&&i.push(`WHERE ${s.join(`
  AND `)}`),n.length&&i.push(`GROUP BY ${n.join(", ")}`),i.join(`
`)}function ia(r,t){let e=Us(r.name),n=[],s=[];for(let[i,o]of t){let a=Math.min(o,r.count);if(r.ordered)i<a&&n.push(Ds(r,e,i,a));else for(let l=i;l<a;l+=1)s.push(
er(r.names[l]));r.other&&i<=r.count&&r.count<o&&n.push(oa(r,e)),r.missing&&i<=r.missingCode&&r.missingCode<o&&n.push(`${e} IS NULL`)}return s.length&&n.unshift(
`${e} IN (${s.join(", ")})`),n.length===0?`(${e} IS NULL AND ${e} IS NOT NULL)`:n.length===1?n[0]:`(${n.join(" OR ")})`}function Ds(r,t,e,n){let s=a=>r.isCalendar?
er(r.text(a)):r.text(a),[i,o]=[r.tickAt(e),r.tickAt(n)];return r.step?`${t} BETWEEN ${s(i)} AND ${s(o-r.step)}`:`${t} >= ${s(i)} AND ${t} < ${s(o)}`}function oa(r,t){
return r.ordered?`NOT (${Ds(r,t,0,r.count)})`:`${t} NOT IN (${r.names.map(er).join(", ")})`}function Us(r){return/^[a-z_][a-z0-9_]*$/i.test(r)?r:`"${r.replaceAll(
'"','""')}"`}function er(r){return`'${r.replaceAll("'","''")}'`}var aa="The box answers what view.sql and ripost query answer: COUNT, SUM, AVG, MIN, MAX, MEDIAN, quantiles and SHARE(*) with FILTER or CASE, differences and ra\
tios of totals, LIKE, periods of dates, ROLLUP, and WITH or SELECT over a result.",la="A view holds totals and no rows, so it does not answer SELECT *, JOIN, UN\
ION, COUNT(DISTINCT …) and window functions besides shares. The box shows at most 10,000 rows.",on=class{constructor(t,e){this.store=t;let n=O("sql");this.text=
p("textarea",{id:"sql",rows:5,spellcheck:"false",autocapitalize:"off",autocomplete:"off","aria-labelledby":n,onkeydown:s=>{s.key==="Enter"&&(s.ctrlKey||s.metaKey)&&
this.run()}}),this.table=new Pt(e,"answer","Answer to the question in SQL"),this.element=p("section",{class:"panel","aria-labelledby":n},p("header",{},p("h2",{id:n},
"SQL")),this.text,p("p",{class:"acts"},p("button",{type:"button",class:"main",onclick:()=>this.run()},"Run"),p("button",{type:"button",class:"quiet",onclick:()=>this.
takeOver()},"Use the filters above"),p("span",{class:"note"},"Ctrl+Enter runs it")),this.problem,this.table.element,this.help())}store;element;text;problem=p("p",
{class:"problem",role:"alert",hidden:!0});table;ran="";simultaneous=!1;help(){let{attributes:t,facts:e}=this.store.engine,[,...n]=e.tables;return p("details",{},
p("summary",{},"Columns, and what can be asked"),p("dl",{},...t.flatMap(({name:s,title:i,unit:o})=>[p("dt",{},p("code",{},s)),p("dd",{},o?`${i} (${o})`:i)])),p(
"p",{class:"note"},`The table is called ${["view",...n.map(s=>`"${s}"`)].join(" or ")}. ${aa}`),p("p",{class:"note"},la))}draw(){this.store.sql===null?this.text.
value===""&&this.takeOver():(this.store.sql!==this.ran||this.store.simultaneous!==this.simultaneous)&&(this.text.value=this.store.sql,this.answer())}takeOver(){
let{engine:t,filters:e,group:n}=this.store;this.text.value=Ps(t,e,n)}run(){this.answer(),this.store.choose("sql",this.text.value)}answer(){let{simultaneous:t}=this.
store;Object.assign(this,{ran:this.text.value,simultaneous:t}),this.problem.hidden=!0,this.table.element.hidden=!0;try{this.table.show($e(this.store.engine,this.
text.value,{simultaneous:t}))}catch(e){if(!(e instanceof d))throw e;this.problem.textContent=e.message,this.problem.hidden=!1}}};function Hs({privacy:r}){return r.warning?p("p",{class:"warning",role:"alert"},`${r.warning}. Never give this view away.`):null}function Gs(r){let{axes:t,privacy:e,
description:n,kept:s}=r,i=`A summary of a table by ${t.length} ${t.length===1?"attribute":"attributes"}`,o=e.warning?"with noise that protects nobody":`in which\
 noise protects ${e.unit} (differential privacy, epsilon ${re(e.epsilon)})`,l=[`${i}, ${o}: every number is an estimate with a 95 % interval.`,n,s&&`${s[0].toUpperCase()}${s.
slice(1)}.`].filter(Boolean);return p("header",{class:"title"},p("h1",{},r.title),...l.map(u=>p("p",{},u??"")))}function js(r){let{privacy:t}=r,e=O("privacy"),n=[
t.promise,...t.words],s="All numbers here are estimates. Noise was added on purpose, and the distribution inside a block is estimated. The 95 % intervals allow \
for both. Where a method gives no error, the page says so.",i=new Map(r.axes.map(({name:l,label:u})=>[`histogram of ${l}`,`histogram of ${u||l}`])),o=l=>i.get(l)??
l;return p("section",{class:"panel privacy","aria-labelledby":e},p("header",{},p("h2",{id:e},"Privacy")),...[...n,s,...r.content.mixture?["Some pairs of attribu\
tes were measured together. Where the page says that attributes were never measured together, the numbers assume that they are independent."]:[]].map(l=>p("p",{},
l)),ua(r),p("details",{},p("summary",{},"What the budget was spent on"),p("p",{},"Along the path from the whole table to a block with the largest privacy loss."),
Bs("What the budget was spent on",["spent on","by",t.currency],t.ledger.map(([l,u,h])=>[o(l),u,re(h)]))),p("details",{},p("summary",{},`All ${E(t.entries.length)}\
 entries of the ledger`),Bs("All entries of the ledger",["purpose","mechanism","statistic","sensitivity",t.currency,"blocks"],t.entries.map(([l,u,h,c,m,f])=>[o(
l),u,h,String(c),m,E(f)]))))}function ua(r){let{privacy:t}=r,e=[["definition",t.definition],["epsilon",`${re(t.epsilon)}, of which ${re(t.spent)} was spent`],...t.
delta?[["delta",re(t.delta)]]:[],["protects",t.unit],["noise from",t.entropy],["method",r.method],["holds",`${E(r.rows)} ${r.noun} for ${ha(r.cells)} cells`],["\
made by",r.software]];return p("dl",{},...e.flatMap(([n,s])=>[p("dt",{},n),p("dd",{},s)]))}function Bs(r,t,e){let n=i=>i<t.indexOf("sensitivity")||i<2?"left":null,
s=i=>ct(...i.map((o,a)=>G("td",{class:n(a),"data-label":t[a]},o)));return Ye(r,t.map((i,o)=>rt({class:n(o)},i)),e.map(s))}function re(r){return String(Number(r.
toPrecision(6)))}function ha(r){return r.length>15?`about 10^${r.length-1}`:r.replace(/\B(?=(\d{3})+$)/g,",")}var ca=864e5,an=class{constructor(t,e){this.axis=e;this.name=t.name,this.unit=t.unit,this.type=t.type,this.size=t.size,this.count=t.count,this.other=t.other,this.
missing=t.missing,this.otherName=t.otherName,this.missingName=t.missingName,this.title=t.label||t.name,this.description=t.description??"",this.ordered=t.names===
void 0,this.names=t.names??[],this.codes=new Map(this.names.map((n,s)=>[n,s])),this.step=t.step??0,this.bins=t.bins??{edges:[]}}axis;name;unit;type;size;count;other;missing;otherName;missingName;title;description;ordered;names;codes;step;bins;get missingCode(){
return this.count+(this.other?1:0)}get special(){return Array.from({length:this.size-this.count},(t,e)=>this.count+e)}describe(t){return t>=this.count?this.other&&
t===this.count?this.otherName:this.missingName:this.ordered?this.describeRange(t,t+1):this.names[t]}describeRange(t,e){let n=this.tickAt(t),s=this.tickAt(e);return s-
n<=this.step?this.text(n):`${this.text(n)} to ${this.text(s-this.step)}`}describeIntervals(t){let e=[];for(let[n,s]of t){let i=Math.min(s,this.count);if(n<i)if(this.
ordered)e.push(this.describeRange(n,i));else for(let o=Math.floor(n);o<i;o+=1)e.push(this.names[o]);for(let o of this.special)n<=o&&o<s&&e.push(this.describe(o))}
return e.length===0?"nothing":e.length>4?`${e.slice(0,3).join(", ")} and ${e.length-3} more`:e.join(", ")}tickAt(t){let e=Math.min(Math.floor(t),this.count-1),n=this.
edge(e);return t===e?n:n+(t-e)*(this.edge(e+1)-n)}edge(t){let{bins:e}=this;return e.edges?e.edges[t]:t===this.count?e.stop:e.start+t*e.width}positionOf(t){let{bins:e}=this;
if(t>=this.edge(this.count))return this.count;if(t<=this.edge(0))return 0;let n=this.count-1;if(e.edges){let i=K(e.edges,t);return i+(t-e.edges[i])/(e.edges[i+1]-
e.edges[i])}let s=(t-e.start)/e.width;return s<=n?s:Math.min(this.count,Math.max(n+(t-this.edge(n))/(e.stop-this.edge(n)),n))}text(t){if(this.type==="integer")return String(
Math.round(t));if(this.type==="number")return ma(t);let[e,n]=new Date(Math.round(t)).toISOString().replace("Z","").split("T");return this.type==="date"?e:`${e} ${n.
replace(/\.0+$/,"")}`}brief(t){if(this.type!=="timestamp")return this.text(t);let[e,n]=new Date(Math.round(t)).toISOString().split("T"),s=(this.edge(this.count)-
this.edge(0))/ca;return s>60?e:s<=1?n.slice(0,5):`${e.slice(5)} ${n.slice(0,5)}`}parse(t){let e=t.trim();if(this.type==="integer"||this.type==="number")return e!==
""&&Number.isFinite(Number(e))?Number(e):null;let n=/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?$/.exec(e);if(!n||this.type==="date"&&n[2])
return null;let s=Date.parse(`${n[1]}T${n[2]??"00:00"}Z`);return Number.isFinite(s)&&new Date(s).toISOString().startsWith(n[1])?s:null}displayBins(t){let e=this.
ordered?Math.max(1,Math.ceil(this.count/t)):1,n=this.ordered?this.count:Math.min(this.count,t),s=[];for(let i=0;i<n;i+=e)s.push([i,Math.min(i+e,n)]);return[...s,
...this.special.map(i=>[i,i+1])]}describeBin([t,e]){return e-t===1||t>=this.count?this.describe(t):this.describeRange(t,e)}get isCalendar(){return this.type==="\
date"||this.type==="timestamp"}};function ma(r){if(r===0)return"0";let[t,e]=r.toExponential(9).split("e"),n=Number(e);if(n<-4||n>=10){let s=n<0?"-":"+";return`${Number(
t)}e${s}${String(Math.abs(n)).padStart(2,"0")}`}return r.toFixed(Math.max(0,9-n)).replace(/(\.\d*?)0+$/,"$1").replace(/\.$/,"")}var st=class{constructor(t,e){this.sides=t;this.values=e}sides;values;cover(t,e=[]){return Object.keys(t).map(Number).filter(s=>!e.includes(s)).map(s=>[s,this.sides[s].
covered(t[s])])}weighted(t){let e=Float64Array.from(this.values);for(let[n,s]of t){let{which:i}=this.sides[n];for(let o=0;o<e.length;o+=1)e[o]*=s[i[o]]}return e}histogram(t,e,n){
let s=this.sides[t],i=this.weighted(this.cover(n,[t])),o=new Float64Array(s.count);for(let c=0;c<i.length;c+=1)o[s.which[c]]+=i[c];let{first:a,bin:l,share:u}=s.
spread(e),h=new Float64Array(e.length);for(let c=0;c<s.count;c+=1)for(let m=a[c];m<a[c+1];m+=1)h[l[m]]+=o[c]*u[m];return h}grid(t,e,n,{within:s=!1}={}){let i=t.
map(h=>this.sides[h]),o=t.map((h,c)=>i[c].spread(e[c],s?n[h]??null:null)),a=this.weighted(this.cover(n,t)),l=new Float64Array(e.reduce((h,c)=>h*c.length,1)),u=(h,c,m,f)=>{
if(h===t.length){l[m]+=f;return}let{first:g,bin:b,share:v}=o[h],x=i[h].which[c],M=e[h].length;for(let N=g[x];N<g[x+1];N+=1)u(h+1,c,m*M+b[N],f*v[N])};for(let h=0;h<
a.length;h+=1)a[h]!==0&&u(0,h,0,a[h]);return l}};function nr(r,t){return t.map((e,n)=>{let s=new Map,i=[],o=new Int32Array(r[n].length);for(let a=0;a<o.length;a+=
1){let l=r[n][a],u=s.get(l);u===void 0&&(u=i.length,s.set(l,u),i.push(l)),o[a]=u}return new lt(Float64Array.from(i),Float64Array.from(i,a=>a+1),o,null)})}var Ut=class{constructor(t,e){this.axis=t;this.cut=e;this.count=t.length,this.right=new Int32Array(this.count),this.leaf=new Int32Array(this.count).fill(-1),this.
own=new Int32Array(this.count),this.cutting=new Int32Array(this.count);let n=new Int32Array(this.count);for(let i=this.count-1;i>=0;i-=1)n[i]=1,!(t[i]<0)&&(this.
right[i]=i+1+n[i+1],n[i]+=n[i+1]+n[this.right[i]]);let s=0;for(let i=0;i<this.count;i+=1)t[i]<0&&(this.leaf[i]=s++);this.leaves=s}axis;cut;count;leaves;right;leaf;own;cutting;addUp(t){
let e=new Float64Array(this.count);for(let n=this.count-1;n>=0;n-=1)e[n]=this.axis[n]<0?t[this.leaf[n]]:e[n+1]+e[this.right[n]];return e}sides(t,e){let n=t.length,
s=t.map((a,l)=>new sr(this,l,a)),i=new Int32Array(this.count*n),o=t.map(()=>new Int32Array(this.leaves));for(let a=0;a<n;a+=1)i[a]=s[a].of(0,t[a]);for(let a=0;a<
this.count;a+=1){let l=a*n,u=this.axis[a];if(u<0){for(let g=0;g<n;g+=1)o[g][this.leaf[a]]=i[l+g];continue}let h=i[l+u];this.cutting[a]=h;let{lower:c,upper:m}=s[u],
f=[[a+1,c[h],this.cut[a]],[this.right[a],this.cut[a],m[h]]];for(let[g,b,v]of f)i.copyWithin(g*n,l,l+n),this.own[g]=i[g*n+u]=s[u].of(b,v)}return s.map(({lower:a,
upper:l},u)=>new lt(Float64Array.from(a),Float64Array.from(l),o[u],e?.[u]??null))}},sr=class{lower=[];upper=[];place;seen=new Map;constructor(t,e,n){let s=new Set(
[0,n]);for(let i=0;i<t.count;i+=1)t.axis[i]===e&&s.add(t.cut[i]);this.place=new Map([...s].map((i,o)=>[i,o]))}of(t,e){let n=(this.place.get(t)??0)*this.place.size+
(this.place.get(e)??0),s=this.seen.get(n);return s===void 0&&(s=this.lower.length,this.seen.set(n,s),this.lower.push(t),this.upper.push(e)),s}},Bt=class{constructor(t,e){
this.tree=t;let n=Float64Array.from(e);this.share=new Float64Array(t.count).fill(1),this.between=new Float64Array(t.count);for(let s=t.count-1;s>=0;s-=1){if(t.axis[s]<
0)continue;let i=s+1,o=t.right[s],a=n[i]+n[o];n[s]=Number.isFinite(e[s])?e[s]*rr(a,e[s]+a):a,this.share[i]=rr(n[i],a),this.share[o]=rr(n[o],a),this.between[s]=n[o]*
this.share[i]}this.root=n[0],this.through=new Float64Array(t.count),this.inside=new Float64Array(t.count)}tree;root;share;between;through;inside;ofWeights(t){let{
tree:e}=this;for(let n=e.count-1;n>=0;n-=1)e.axis[n]<0?this.settle(n,t[e.leaf[n]]):this.join(n);return this.atRoot()}settle(t,e){this.through[t]=e,this.inside[t]=
0}join(t){let e=t+1,n=this.tree.right[t],s=this.through[e]-this.through[n];this.through[t]=this.share[e]*this.through[e]+this.share[n]*this.through[n],this.inside[t]=
this.inside[e]+this.inside[n]+this.between[t]*s*s}atRoot(){return this.inside[0]+this.through[0]**2*this.root}};function ln(r,t){return Float64Array.from(r,e=>e===
0?1/0:t[e-1])}function rr(r,t){return t>0?r/t:.5}function vt(r,{scatter:t,power:e}){let n=Math.max(r,0);return n+t*n**e}function _s(r,t,e,n){let{of:s,count:i}=n,o=new Float64Array(i),a=new Float64Array(i),l=new Float64Array(
i);for(let h=0;h<s.length;h+=1){let c=r[t[h]];o[s[h]]+=c,a[s[h]]+=c*c,l[s[h]]=e[h]}let u=0;for(let h=0;h<i;h+=1)u+=Math.max(o[h]**2,a[h])*l[h]*(1-l[h]);return u}
function Vs(r,t,e,n,s,i){let{of:o,count:a}=s,l=new Float64Array(a),u=new Float64Array(a),h=0;for(let m=0;m<o.length;m+=1)h+=t[e[m]]*n[m]*(1-n[m]),l[o[m]]+=r[e[m]],
u[o[m]]=n[m];let c=0;for(let m=0;m<a;m+=1)c+=vt(l[m],i)*u[m]*(1-u[m]);return(1-i.together)*h+i.together*c}function ir(r,t,e){let n=new Float64Array(e.length),s=1;
for(let[i,o]of t){let{which:a,count:l}=r[i];s*(l+1)>4503599627370496&&({of:n,count:s}=un(n));for(let u=0;u<e.length;u+=1){let h=a[e[u]];n[u]=n[u]*(l+1)+(o[h]<1?
h+1:0)}s*=l+1}return un(n)}function qs(r,t,e,n){let s=new Float64Array(e.length);return t.forEach((i,o)=>{let a=ir(r,i,e);for(let l=0;l<e.length;l+=1)s[l]=s[l]*
(a.count+1)+(n[o][l]?a.of[l]+1:0);({of:s}=un(s))}),un(s)}function un(r){let t=new Map,e=new Float64Array(r.length);for(let n=0;n<r.length;n+=1){let s=t.get(r[n])??
t.size;t.set(r[n],s),e[n]=s}return{of:e,count:t.size}}function Ks(r,t,e,n){let{margin_weight:s,unmeasured_weight:i,unmeasured_power:o}=n;if(!(s||i)||!(r>0))return 0;let a=t.map(g=>da(g,e.sizes)),l=t.map((g,b)=>pa(g,
a[b],r,e,n)),u=s*Math.max(0,...l);if(a.every(g=>g.length<=1))return u;let{total:h,record:c}=e,m=h>0?Math.min(r/h,1):0,f=vt(h/c,n)*c**2;return u+i*f*m**o*(1-m)}function pa(r,t,e,n,s){
let i=0;for(let o of t){let a=s.histogram_variances[o]??null;if(a===null)continue;let[l,u,h]=[n.axes[o],pt(r[o]),n.sizes[o]],c=g=>l.mass?l.at(g):g,m=r[o].reduce(
(g,[b,v])=>g+c(v)-c(b),0),f=c(h)>0?n.total*m/c(h):0;i+=a*Math.max(Math.min(u,h-u),0)*(e/Math.max(e,f))**2}return i}function da(r,t){return Object.keys(r).map(Number).
filter(n=>pt(r[n])<t[n])}var fa=1-1e-12,Ht=class{constructor(t,e,n=s=>new st(s,t.values)){this.sizes=e;let s=t.errorModel;this.model=s,this.tree=new Ut(t.axis,t.cut),this.record=t.record,
this.rows=n(this.tree.sides(e,t.density)),this.covariance=new Bt(this.tree,ln(t.measured,t.variances)),this.totals=this.tree.addUp(this.rows.values);let{count:i}=this.
tree;this.stacks={nodes:new Int32Array(i),out:new Int32Array(i),inner:new Int32Array(i)},this.records=t.values.map(o=>o/this.record),this.scatter=this.records.map(
o=>s?vt(o,s):0)}sizes;rows;model;record;covariance;tree;totals;records;scatter;stacks;answer(t){let e=this.summed(t),{value:n,noise:s,partly:i,share:o,groups:a}=e,
{model:l}=this;if(!l)return at(n,s,_s(this.rows.values,i,o,a),2.12);let[u,...h]=t,c=u&&h.length===0,[m,f]=c?this.ofHistogram(u,Object.keys(u).map(Number),l):[1/0,
0],g=l.outside_weight??1/0,b=i.reduce((k,S,L)=>k+this.rows.values[S]*Math.min(o[L],g*(1-o[L])),0),v={total:this.totals[0],record:this.record,axes:this.rows.sides,
sizes:this.sizes},x=Ks(b,t,v,l),M=this.scattered(e,l)+this.cutOff(f,n,l)+x,N=Math.min(M,Math.max(m-s,0));return at(n,Math.min(s,m),N,l.z)}summed(t,e=1/0){let n=t.
map(i=>this.rows.cover(i)),s=t.length===1?this.descend(n[0],t[0],e):this.unite(n);return s&&{...s,noise:this.covariance.atRoot()}}scattered({partly:t,share:e,groups:n},s){
return Vs(this.records,this.scatter,t,e,n,s)*this.record**2}unite(t){let{sides:e,values:n}=this.rows,s=new Float64Array(n.length),i=t.map(u=>Float64Array.from(n,
(h,c)=>Ws(u,e,c)));for(let u of i)for(let h=0;h<s.length;h+=1)s[h]+=u[h];let o=[],a=0;for(let u=0;u<s.length;u+=1)s[u]>=fa?s[u]=1:s[u]>0&&o.push(u),a+=s[u]*n[u];
this.covariance.ofWeights(s);let l=i.map(u=>o.map(h=>u[h]>0));return{value:a,partly:o,share:o.map(u=>s[u]),groups:qs(e,t,o,l)}}descend(t,e,n){let s=n<1/0?n/this.
record**2/(1-(this.model?.together??0)):1/0,i=0,{tree:o,covariance:a,totals:l,rows:u}=this,h=new Array(this.sizes.length).fill(null);for(let[I]of t)h[I]=u.sides[I].
touched(e[I]);let{axis:c,right:m,own:f,cutting:g,leaf:b}=o,{nodes:v,out:x,inner:M}=this.stacks,N=[],k=[],[S,L,En]=[1,0,0];for(v[0]=0,x[0]=t.filter(([I])=>(h[I]?.[0]??
2)<2).length;S;){S-=1;let I=v[S],An=x[S];if(An===0)En+=l[I],a.settle(I,1);else if(c[I]<0){let j=Ws(t,u.sides,b[I]);if(En+=j*l[I],a.settle(I,j),j>0&&j<1){if(N.push(
b[I]),k.push(j),s===1/0)continue;if(i+=this.scatter[b[I]]*j*(1-j),i>s)return null}}else{M[L]=I,L+=1;let j=h[c[I]];for(let ie=I+1,ur=0;ur<2;ie=m[I],ur+=1){let hr=j?
j[f[ie]]:1;if(hr===0){a.settle(ie,0);continue}v[S]=ie,x[S]=j&&hr===2&&j[g[I]]<2?An-1:An,S+=1}}}for(let I=L-1;I>=0;I-=1)a.join(M[I]);return{value:En,partly:N,share:k,
groups:ir(u.sides,t,N)}}ofHistogram(t,[e,...n],s){let i=s.histogram_variances[e]??null;if(i===null||n.length)return[1/0,0];let o=t[e],a=pt(o),l=this.sizes[e]-a;
return[!o.some(c=>c.some(m=>m%1))?Math.min(a*i,l*i+this.covariance.root):1/0,i*Math.max(Math.min(a,l),0)]}cutOff(t,e,n){return n.histogram_weight*Math.max(t-Math.
max(e,0)**2,0)}};function Ws(r,t,e){let n=1;for(let[s,i]of r)n*=i[t[s].which[e]];return n}var hn=class{constructor(t,e){this.sizes=e;this.rows=new st(nr(ba(e,t.values.length),e),t.values)}sizes;rows;total(t){return Ys(this.rows,t)}},cn=class extends hn{bucket;covariance;size;totals;constructor(t,e){
super(t,e),this.bucket=t.bucket;let n=new Ut(t.axis,t.cut);this.covariance=new Bt(n,ln(t.measured,t.variances)),this.size=new Float64Array(n.leaves),this.totals=
new Float64Array(n.leaves),this.bucket.forEach((s,i)=>{this.size[s]+=1,this.totals[s]+=t.values[i]})}answer(t){let e=new Float64Array(this.size.length),n=0;for(let i of t.
map(o=>this.rows.cover(o)))for(let o=0;o<this.bucket.length;o+=1){let a=1;for(let[l,u]of i)a*=u[this.rows.sides[l].which[o]];e[this.bucket[o]]+=a,n+=a*this.rows.
values[o]}let s=0;for(let i=0;i<e.length;i+=1)e[i]=Math.min(e[i]/this.size[i],1),s+=this.totals[i]**2*e[i]*(1-e[i]);return at(n,this.covariance.ofWeights(e),s,2.12)}},
mn=class extends hn{bases;inverse;variance;constructor(t,e){super(t,e),this.bases=t.bases,this.inverse=t.inverse,this.variance=t.variance}answer(t){let e=t.map(
i=>this.rows.cover(i)),n=e.map(i=>this.turned(new Map(i))),s=0;return n.forEach((i,o)=>{n.slice(o).forEach((a,l)=>{s+=(l?2:1)*this.covariance(i,a)})}),at(this.total(
e),s*this.variance,0,2.12)}turned(t){return this.sizes.map((e,n)=>ga(this.bases[n],e,this.weights(n,t.get(n))))}covariance(t,e){let n=this.inverse;return t.forEach(
(s,i)=>{let o=s[0]*e[i][0],a=0;for(let h=1;h<s.length;h+=1)a+=s[h]*e[i][h];let l=n.length/2,u=new Float64Array(l);for(let h=0;h<l;h+=1)u[h]=o*n[h]+a*n[l+h];n=u}),
n[0]}weights(t,e){let n=new Float64Array(this.sizes[t]).fill(1);return this.rows.sides[t].lower.forEach((s,i)=>{e&&(n[s]=e[i])}),n}},pn=class{rows;constructor(t,e){
let n=t.values.length,s=e.map((i,o)=>t.coords.subarray(o*n,(o+1)*n));this.rows=new st(nr(s,e),t.values)}answer(t){return _n(Ys(this.rows,t.map(e=>this.rows.cover(
e))))}};function Ys(r,t){return t.reduce((e,n)=>e+r.weighted(n).reduce((s,i)=>s+i,0),0)}function ga(r,t,e){let n=new Float64Array(t);for(let s=0;s<t;s+=1)if(e[s]!==
0)for(let i=0;i<t;i+=1)n[i]+=e[s]*r[s*t+i];return n}function ba(r,t){let e=t;return r.map(n=>{e/=n;let s=new Int32Array(t);for(let i=0;i<t;i+=1)s[i]=Math.floor(
i/e)%n;return s})}var dn=class{total;weights;bins;shares;below;masses;constructor({total:t,weights:e,edges:n,levels:s},i){this.total=t,this.weights=e,this.bins=n.map((o,a)=>wa(Float64Array.
from(o),i?.[a]??null)),this.shares=s.map(o=>ya(o,e.length)),this.below=this.shares.map(o=>va(o,e.length)),this.masses=n.map(()=>new tt(e.length))}mass(t,e){return this.
masses[t].of(e,()=>this.massOf(t,e))}massOf(t,e){let n=this.weights.length,s=this.bins[t].covered(e),i=new Float64Array(n);for(let o=0;o<s.length;o+=1){if(s[o]===
0)continue;let a=o;for(;o+1<s.length&&s[o]===1&&s[o+1]===1;)o+=1;a<o?Aa(i,this.below[t],a*n,(o+1)*n):Xs(i,this.shares[t],o*n,s[o])}return i}components(t,e=[]){let n=this.
weights.map(s=>s*this.total);for(let s of Object.keys(t)){let i=Number(s);e.includes(i)||zs(n,this.mass(i,t[i]))}return n}value(t){return Qs(this.components(t))}addGrid(t,e,n,s,{
within:i=!1}={}){let o=e.map((m,f)=>this.bins[m].spread(n[f],i?s[m]??null:null)),a=this.weights.length,l=e.length-1,u=e.slice(0,l).map((m,f)=>xa(this.shares[m],
o[f],n[f].length,a)),h=(m,f,g)=>{if(m===l){Ea(t,f*n[l].length,this.shares[e[l]],o[l],g);return}for(let b=0;b<n[m].length;b+=1){let v=Float64Array.from(g);zs(v,u[m].
subarray(b*a,(b+1)*a)),h(m+1,f*n[m].length+b,v)}},c=this.components(s,e);return e.length?h(0,0,c):t[0]+=Qs(c),t}},fn=class extends st{constructor(e,n,s){super(e,
n);this.mixture=s}mixture;histogram(e,n,s){return this.mixture.addGrid(super.histogram(e,n,s),[e],[n],s)}grid(e,n,s,i){return this.mixture.addGrid(super.grid(e,
n,s,i),e,n,s,i)}};function wa(r,t){return new lt(r.slice(0,-1),r.slice(1),new Int32Array(0),t)}function ya(r,t){let e=r.length/t,n=new Float64Array(r.length);for(let s=0;s<
t;s+=1){let i=0;for(let o=0;o<e;o+=1)i+=r[s*e+o]**2;for(let o=0;o<e;o+=1)n[o*t+s]=r[s*e+o]**2/i}return n}function va(r,t){let e=new Float64Array(r.length+t);for(let n=0;n<
r.length;n+=1)e[n+t]=e[n]+r[n];return e}function xa(r,{first:t,bin:e,share:n},s,i){let o=new Float64Array(s*i);for(let a=0;a<t.length-1;a+=1)for(let l=t[a];l<t[a+
1];l+=1)Xs(o.subarray(e[l]*i,(e[l]+1)*i),r,a*i,n[l]);return o}function Ea(r,t,e,{first:n,bin:s,share:i},o){let a=o.length;for(let l=0;l<n.length-1;l+=1){if(n[l]===
n[l+1])continue;let u=0;for(let h=0;h<a;h+=1)u+=o[h]*e[l*a+h];for(let h=n[l];h<n[l+1];h+=1)r[t+s[h]]+=u*i[h]}}function Xs(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=
n*t[e+s]}function Aa(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=t[n+s]-t[e+s]}function zs(r,t){for(let e=0;e<r.length;e+=1)r[e]*=t[e]}function Qs(r){let t=0;for(let e=0;e<
r.length;e+=1)t+=r[e];return t}var ka=4,Ma="no two of these attributes were measured together: the answer takes them as independent",gn=class{constructor(t,e,n,s){this.model=t;this.mixture=e;
this.sizes=n;this.record=s;this.within=e.bins.map((i,o)=>Ia(i,n[o])),this.figures=n.map(()=>new tt(ka))}model;mixture;sizes;record;within;figures;bounded(t){return Object.
keys(t).map(Number).filter(n=>!Ta(t[n],this.sizes[n]))}ofBoxes(t){let[e,n,s]=[0,0,!0];for(let i of t){let o=this.ofBox(i);e+=Math.sqrt(o.least),n+=Math.sqrt(o.rest),
s&&=o.byPair}return{least:e**2,rest:n**2,byPair:s}}ofBox(t){let e=this.bounded(t),n=new Map(e.map(m=>[m,this.along(m,t[m])])),s=this.mixture.total,i=1/0,o=0,{sum_power:a}=this.
model;for(let{axes:m,variance:f,dependence:g,misfit:b}of this.pairsIn(n)){let[v,x]=m.map(L=>this.along(L,t[L])),M=Js(n,m),N=this.scatter(s*(v.cut*x.share+x.cut*
v.share)),k=this.scatter(this.ofPair(t,m))*M*Math.max(1-M,0),S=b*f*(v.cells*x.cells)**a;i=Math.min(i,M**2*(S+N)+k),o=Math.max(o,M**2*g*s**2*Sa(v,x))}let l=0;for(let[
m,{histogram:f}]of n)l+=f*Js(n,[m])**2;let{dependence_weight:u,histogram_weight:h}=this.model,c=e.length===2&&i<1/0;return{least:i,rest:u*o+h*l,byPair:c}}note(t,e){
let n=i=>i.size>1&&this.pairsIn(i).length===0,s=i=>new Set([...this.bounded(i),...e]);return t.some(i=>n(s(i)))?Ma:""}pairsIn(t){return this.model.pairs.filter(
({axes:[e,n]})=>t.has(e)&&t.has(n))}along(t,e){return this.figures[t].of(e,()=>this.figuresOf(t,e))}figuresOf(t,e){let n=this.within[t],s=this.mixture.bins[t].covered(
e),i={share:0,cells:0,cut:0,histogram:0};for(let l=0;l<s.length;l+=1)i.share+=n[l]*s[l],i.cells+=s[l]**2,i.cut+=n[l]*s[l]*(1-s[l]);let o=pt(e),a=Math.max(0,Math.
min(o,this.sizes[t]-o));return i.histogram=(this.model.histogram_variances[t]??0)*a,i}ofPair(t,[e,n]){let{weights:s,total:i}=this.mixture,o=this.mixture.mass(e,
t[e]),a=this.mixture.mass(n,t[n]),l=0;for(let u=0;u<s.length;u+=1)l+=s[u]*o[u]*a[u];return i*l}scatter(t){return this.model.pair_scatter*vt(t/this.record,this.model)*
this.record**2}};function Sa(r,t){return r.share===0||t.share===0?0:Math.min(1,r.cut/r.share+t.cut/t.share)**2*r.share*t.share*(1-r.share)*(1-t.share)}function Js(r,t){
let e=1;for(let[n,{share:s}]of r)t.includes(n)||(e*=s);return e}function Ia(r,t){let e=r.mass?.reduce((s,i)=>s+i,0)??0,n=(s,i)=>e>0?(r.at(i)-r.at(s))/e:(i-s)/t;
return Float64Array.from(r.lower,(s,i)=>n(s,r.upper[i]))}function Ta(r,t){return r.length===1&&r[0][0]<=0&&r[0][1]>=t}var bn=class extends Ht{mixture;errorModel;pairs;constructor(t,e){let n=new dn(t.mixture,t.density);super(t,e,s=>new fn(s,t.corrections,n)),this.mixture=n,this.
errorModel=t.errorModel,this.pairs=new gn(t.errorModel,n,e,t.record)}answer(t,e=null){let{least:n,rest:s,cut:i,byPair:o}=this.told(t),a=o&&e!==null?null:this.summed(
t,e===null?1/0:n),{errorModel:l}=this,u=e===null||o?t.reduce((b,v)=>b+this.mixture.value(v),0):0,h=e??u+(a?.value??0),c=o?h-u:0,m=a&&!o?a.noise+this.scattered(a,
l)+this.cutOff(i,h,l):1/0,f=(l.correction_weight??0)*c**2,g=Math.min(m,n)+s+f;return{...at(h,g,0,l.z),note:this.note(t)}}told(t){let e=t.length===1?this.pairs.bounded(
t[0]):null;if(e===null||e.length>1)return{...this.pairs.ofBoxes(t),cut:0};let[n,s]=this.ofHistogram(t[0],e,this.errorModel);return{least:n,rest:0,cut:s,byPair:!1}}note(t,e=[]){
return this.pairs.note(t,e)}};var Zs={u1:Uint8Array,f8:Float64Array,i4:Int32Array,i2:Int16Array,u2:Uint16Array,u4:Uint32Array};async function Ca(r){let t=Uint8Array.from(atob(r.data),n=>n.charCodeAt(
0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate"));return new Zs[r.type](await new Response(e).arrayBuffer())}async function wn(r){if(r===
null||typeof r!="object")return r;if(Na(r))return Ca(r);if(Array.isArray(r))return Promise.all(r.map(wn));let t=Object.entries(r).map(async([e,n])=>[e,await wn(
n)]);return Object.fromEntries(await Promise.all(t))}function Na(r){return"data"in r&&"type"in r&&String(r.type)in Zs}var yn=class r{constructor(t,e){this.facts=t;this.content=e;this.attributes=t.axes.map((n,s)=>new an(n,s)),this.sizes=t.axes.map(n=>n.size),this.byName=new Map(
this.attributes.map(n=>[n.name,n]))}facts;content;attributes;sizes;byName;names=new Map;together=1;static async open(t){let e=t.axes.map(s=>s.size),n=t.content.
mixture?"mixed":t.content.kind;return new r(t,Oa(n,await wn(t.content),e))}answer(t,e){let n=this.content.answer(Array.isArray(t)?t:[t],e);if(n.low===null)return n;
let s=this.together>1?jn(n,n.reach*we(this.together)):n;return Kr(s,this.shortest)}get shortest(){let{shortest:t}=this.facts.privacy;return this.together>1?t*qr(
this.together):t}shareBounds(t,e){return _r(t.value,this.reachOf(t),e.value,this.reachOf(e))}reachOf({reach:t,stderr:e}){return Math.max(t,e!==null&&e>0?this.shortest/
2:0)}jointly(t){return Object.assign(Object.create(r.prototype),this,{together:t})}note(t,e){return this.content.note?.(t,e)??""}get measuredPairs(){let{content:t}=this.
facts;return t.mixture?t.errorModel?.pairs.map(({axes:e})=>e)??[]:[]}largestNames(t){let e=this.names.get(t);if(e)return e;let n=Array.from({length:this.attributes[t].
count},(o,a)=>a),s=n.map(o=>[o,o+1]),i=this.histogram(t,s,{});return n.sort((o,a)=>i[a]-i[o]),this.names.set(t,n),n}histogram(t,e,n){let[s,i]=ti(e),o=this.content.
rows.histogram(t,s,n);return i?Float64Array.from(i,a=>o[a]):o}grid(t,e,n,s){let i=e.map(ti),o=i.map(([l])=>l),a=this.content.rows.grid(t,o,n,s);return i.every(([
,l])=>l===null)?a:a.map((l,u)=>{let[h,c,m]=[u,1,0];for(let f=e.length-1;f>=0;f-=1){let g=h%e[f].length;m+=(i[f][1]?.[g]??g)*c,c*=e[f].length,h=Math.floor(h/e[f].
length)}return a[m]})}narrowed(t,e,n){let s={...t};return e.forEach((i,o)=>{s[i]=pr(n[o])}),s}};function ti(r){if(r.every((n,s)=>s===0||r[s-1][0]<=n[0]))return[
r,null];let t=r.map((n,s)=>s).sort((n,s)=>r[n][0]-r[s][0]),e=new Array(r.length);return t.forEach((n,s)=>{e[n]=s}),[t.map(n=>r[n]),e]}function Oa(r,t,e){return r===
"mixed"?new bn(t,e):r==="blocks"?new Ht(t,e):r==="buckets"?new cn(t,e):r==="matrix"?new mn(t,e):new pn(t,e)}var $a=["a","b"],Ra=["shown","map","group"];function ri(r,t){let e=r.engine.attributes.map(i=>i.name),n=new URLSearchParams,s=(i,o)=>{for(let[a,l]of Object.entries(
o))n.append(`${i}.${e[Number(a)]}`,l.map(u=>u.join("~")).join(" "))};s("in",r.filters),r.compared!==t.compared&&(n.append("compared","true"),r.compared.forEach(
(i,o)=>{s($a[o],i)}));for(let i of Ra)String(r[i])!==String(t[i])&&n.append(i,JSON.stringify(r[i].map(o=>e[o])));String(r.shares)!==String(t.shares)&&n.append("\
shares",r.shares.join(" "));for(let[i,{unit:o,window:a}]of Object.entries(r.grains))n.append(`bins.${e[Number(i)]}`,a?`${o} ${a.join("~")}`:o);return r.zoomed&&
n.append("zoomed","true"),r.simultaneous&&n.append("simultaneous","true"),r.sql!==null&&n.append("sql",r.sql),n.toString()}function or(r,t){let e={},n=[{},{}],s={},
i={filters:e,grains:s};for(let[o,a]of new URLSearchParams(r.replace(/^#/,""))){let[l]=o.split(".",1),u={in:e,a:n[0],b:n[1]}[l];if(u&&o.includes(".")){let h=t.byName.
get(o.slice(l.length+1)),c=h&&ei(a,h.size);c&&(u[h.axis]=c)}else if(o==="compared")i.compared=n;else if(o.startsWith("bins.")){let h=t.byName.get(o.slice(5)),[c,
m]=a.split(" "),[f]=h&&m&&ei(m,h.count)||[];h?.isCalendar&&Qt.includes(c)&&(s[h.axis]={unit:c,window:f??null})}else if(o==="shown"||o==="group")i[o]=ni(a,t)??void 0;else if(o===
"map"){let[h,c,...m]=ni(a,t)??[];c!==void 0&&m.length===0&&(i.map=[h,c])}else if(o==="shares"){let h=a.split(" ").map(Number);h.length<=20&&h.every(c=>c>=0&&c<=
1)&&(i.shares=h)}else o==="simultaneous"||o==="zoomed"?i[o]=a==="true":o==="sql"&&(i.sql=a.slice(0,5e4))}return i}function ei(r,t){let e=r===""?[]:r.split(" ").
map(s=>s.split("~").map(Number));return e.every(s=>s.length===2&&s[0]>=0&&s[0]<s[1]&&s[1]<=t)?$(e):null}function ni(r,t){try{let e=JSON.parse(r),n=e.flatMap(s=>t.
byName.get(s)?.axis??[]);return n.length===e.length?[...new Set(n)]:null}catch{return null}}var vn=class{jobs=new Map;waiting=[];planned=!1;start(t,e,n=12){this.jobs.set(t,e),n>0&&this.turn(t,e,performance.now()+n),this.plan()}settled(){return this.jobs.
size===0?Promise.resolve():new Promise(t=>this.waiting.push(t))}plan(){if(this.jobs.size===0)for(let t of this.waiting.splice(0))t();else this.planned||(this.planned=
!0,setTimeout(()=>this.slice(),0))}slice(){this.planned=!1;let t=performance.now()+12;for(let[e,n]of[...this.jobs]){if(performance.now()>=t)break;this.turn(e,n,
t)}this.plan()}turn(t,e,n){for(;performance.now()<n;)if(e.next().done){this.jobs.get(t)===e&&this.jobs.delete(t);return}}};function si(r,t){let e=Fa(r),n=e.filter(u=>!t||u.some(h=>!t.includes(h))),s=Math.max(1,Math.min(60,Math.floor(2e6/r.facts.rows))),i=(n.length?n:e).slice(0,s),o=null,
a=-1;for(let u of i){let h=La(r,u);h>a&&([o,a]=[u,h])}let l=u=>r.attributes[u].count;return o&&l(o[0])<l(o[1])?[o[1],o[0]]:o}function Fa(r){let t=r.measuredPairs;
if(t.length)return t;let e=r.attributes.map(({axis:n})=>n);return e.flatMap(n=>e.slice(n+1).map(s=>[n,s]))}function La(r,t){let e=t.map(u=>Pa(r,r.attributes[u])),
n=r.grid(t,e,{}).map(u=>Math.max(u,0)),s=n.reduce((u,h)=>u+h,0);if(!(s>0))return 0;let i=e[1].length,[o,a]=e.map(u=>new Float64Array(u.length));n.forEach((u,h)=>{
o[Math.floor(h/i)]+=u/s,a[h%i]+=u/s});let l=(u,h)=>Math.abs(u/s-o[Math.floor(h/i)]*a[h%i]);return n.reduce((u,h,c)=>u+l(h,c),0)/2}function Pa(r,t){return t.ordered?
t.displayBins(10):r.largestNames(t.axis).slice(0,10).map(e=>[e,e+1])}function ii(r){let t=r.attributes.find(({ordered:o,count:a})=>!o&&a>1);if(t){let[o,a]=r.largestNames(t.axis);return[{[t.axis]:[[o,o+1]]},{[t.axis]:[[a,a+1]]}]}let{
axis:e,count:n}=r.attributes[0],s=Math.ceil(n/2),i=o=>({[e]:R([o],[[0,n]])});return[i([0,s]),i([s,n])]}var Da=6,xn=class{constructor(t){this.engine=t;this.coordinates=Rs(t.attributes),this.firstCompared=ii(t),this.firstMap=si(t,this.coordinates)??[0,0],this.restore(
{})}engine;shown;filters;map;group;shares;sql;compared;zoomed;grains;simultaneous;coordinates;firstCompared;firstMap;listeners=[];restore({shown:t,filters:e,map:n,
group:s,shares:i,sql:o,compared:a,zoomed:l,grains:u,simultaneous:h}){let c=this.engine.attributes.map(m=>m.axis);this.shown=t??c.slice(0,Da),this.filters=e??{},
this.map=n??this.firstMap,this.group=s??[c[0]],this.shares=i??[.1,.25,.5,.75,.9],this.sql=o??null,this.compared=a??this.firstCompared,this.zoomed=l??!1,this.grains=
u??{},this.simultaneous=h??!1}onChange(t){this.listeners.push(t)}changed(){for(let t of this.listeners)t()}filter(t,e){if(Gt(this.filters[t],e??void 0))return;let n=[
[0,this.engine.attributes[t].size]],s={...this.filters};e===null||Gt(e,n)?delete s[t]:s[t]=R(e,n),this.filters=s,t in s||(this.grains=oi(this.grains,t)),this.changed()}clear(){
this.filters={};for(let t of Object.keys(this.grains))this.grains=oi(this.grains,Number(t));this.changed()}engineFor(t){return this.simultaneous?this.engine.jointly(
t):this.engine}choose(t,e){Object.assign(this,{[t]:e}),this.changed()}};function oi(r,t){let{[t]:e,...n}=r;return e&&!e.window?r:n}var Ua=8,ar=class{constructor(t){this.engine=t;this.store=new xn(t),this.first={...this.store},this.whole=t.answer({}),this.count=new Ze(this.store),this.options=
new rn(this.store);let{coordinates:e}=this.store;this.heat=t.attributes.length>1?new nn(this.store):null,this.maps=[e&&new sn(this.store,e),this.heat].filter(n=>n!==
null),this.compare=new Je(this.store),this.groups=new tn(this.store,this.scheduler),this.quantiles=new ze(this.store),this.sql=new on(this.store,this.scheduler)}engine;times=[];store;first;scheduler=new vn;whole;cards=new Map;count;options;grid=p(
"div",{class:"cards"});maps;heat;compare;groups;quantiles;sql;planned=!1;hash="";writing=0;start(t){let{facts:e}=this.engine,n=this.maps.length>1,s=[Hs(e),Gs(e),
this.count.element,Os(),this.options.element,p("h2",{class:"unseen"},"Charts"),this.grid,p("div",{class:"panels"},p("div",{},...this.maps.map(i=>i.element),...n?
[]:[this.compare.element]),p("div",{},this.groups.element,...n?[this.compare.element]:[])),this.quantiles.element,this.sql.element,js(e)];t.replaceChildren(...s.
filter(i=>i!==null)),this.store.restore(or(location.hash,this.engine)),this.store.onChange(()=>this.plan()),window.addEventListener("hashchange",()=>this.readHash()),
new ResizeObserver(()=>this.resize()).observe(this.grid),this.draw()}readHash(){location.hash.replace(/^#/,"")!==this.hash&&(this.store.restore(or(location.hash,
this.engine)),this.plan())}plan(){this.planned||(this.planned=!0,requestAnimationFrame(()=>{this.planned=!1,this.draw()}))}draw(){let t=performance.now(),{filters:e,
shown:n}=this.store;this.count.draw(this.engine.answer(e),this.whole),this.options.draw(),this.arrange(n);for(let s of n){let i=this.cardOf(s);i.arrange(),i.draw(
this.engine.histogram(s,i.bins,e))}for(let s of this.maps)s.draw(s.compute());this.quantiles.draw(),this.sql.draw(),this.scheduler.start("errors",this.errors(),
Ua),this.writeHash(),this.times.push(performance.now()-t)}arrange(t){let e=t.map(s=>this.cardOf(s).element);e.length===this.grid.childElementCount&&e.every((s,i)=>this.
grid.children[i]===s)||(this.grid.replaceChildren(...e),this.resize())}cardOf(t){let e=this.cards.get(t)??new Xe(this.store,this.engine.attributes[t]);return this.
cards.set(t,e),e}resize(){for(let t of this.store.shown)this.cards.get(t)?.resize();for(let t of this.maps)t.resize()}*errors(){let{engine:t}=this,{filters:e,shown:n}=this.
store;this.groups.draw(),yield,this.compare.draw(),yield;for(let s of n){let i=this.cardOf(s),o=[],a=this.store.engineFor(i.bins.length);for(let[u,h]of i.bins.entries())
o.push(a.answer(t.narrowed(e,[s],[h]),i.values[u])),yield;let l=t.attributes[s].ordered?new W(t,s,[e]):null;i.drawErrors(o,l?[.25,.5,.75].map(u=>l.quantile(u)):
[])}if(this.heat){let[s,i]=this.heat.bins,o=[],a=this.store.engineFor(s.length*i.length);for(let l of s)for(let u of i){let h=this.heat.values[o.length];o.push(
a.answer(t.narrowed(e,this.store.map,[l,u]),h)),yield}this.heat.drawErrors(o)}yield*this.quantiles.fill()}writeHash(){this.hash=ri(this.store,this.first),clearTimeout(
this.writing),this.writing=window.setTimeout(()=>history.replaceState(null,"",this.hash?`#${this.hash}`:location.pathname+location.search),150)}async settled(){
do await new Promise(t=>requestAnimationFrame(()=>setTimeout(t,0))),await this.scheduler.settled();while(this.planned)}};function ai(r){let t=document.getElementById(
r);if(!t)throw new Error(`the page has no part ${r}`);return t}var se=await yn.open(JSON.parse(ai("view").textContent)),lr=new ar(se);lr.start(ai("page"));var Ba={
ready:!0,answer:r=>se.answer(r),histogram:(r,t,e)=>se.histogram(r,t,e),quantiles:(r,t,e)=>ut(new W(se,r,[e]).boundedQuantiles(t)),sql:r=>{let{columns:t,rows:e}=$e(
se,r),n=(s,i)=>"text"in s?s.text(i):ut(s.figure(i));return{columns:t.map(({name:s})=>s),rows:e.map(s=>t.map(i=>n(i,s)))}},settled:()=>lr.settled(),times:lr.times};
Object.assign(window,{ripost:Ba});
