function O(r){let t=[];for(let[e,n]of[...r].sort((s,o)=>s[0]-o[0]||s[1]-o[1])){let s=t[t.length-1];s&&e<=s[1]?s[1]=Math.max(s[1],n):t.push([e,n])}return t}function M(r,t){
let e=[],n=0,s=0;for(;n<r.length&&s<t.length;){let o=Math.max(r[n][0],t[s][0]),i=Math.min(r[n][1],t[s][1]);o<i&&e.push([o,i]),r[n][1]<t[s][1]?n+=1:s+=1}return e}
function Z(r){return r.reduce((t,[e,n])=>t+n-e,0)}function Bt(r,t){let e=[],n=0;for(let[s,o]of O(r))s>n&&e.push([n,Math.min(s,t)]),n=Math.max(n,o);return n<t&&e.
push([n,t]),e}var On=new WeakMap,Cn=[];function Ut(r,t=Cn){let e=On.get(r)??new WeakMap;On.set(r,e);let n=e.get(t)??(t===Cn?[r]:M([r],t));return e.set(t,n),n}function xt(r,t){
return!r||!t?r===t:r.length===t.length&&r.every(([e,n],s)=>e===t[s][0]&&n===t[s][1])}var g=class extends Error{};function it(r,t,e,{after:n=!1,before:s=!1}={}){if(!r.ordered)throw new g(`${r.name} has no order; ask for values, not for a range`);
let o=t===null?null:qe(r,t),i=e===null?null:qe(r,e);if(o!==null&&i!==null&&o>i)throw new g(`${r.name}: the range is reversed, ${t} is above ${e}`);let a=o===null?
r.edge(0):$n(r,o,n),l=i===null?r.edge(r.count):$n(r,i,!s);return[Ke(r,a,Math.max(a,l))].filter(([u,h])=>u<h)}function Ht(r,t){if(r.other&&t===r.otherName)return[
[r.count,r.count+1]];if(!r.ordered){let s=r.codes.get(r.type==="boolean"?rs(t):t);if(s===void 0)throw new g(`${r.name} has no value '${t}'; ${ns(r)}`);return[[s,
s+1]]}let e=qe(r,t);if(r.step){let s=Math.floor(e/r.step)*r.step;return[Ke(r,s,s+r.step)]}Ke(r,e,e);let n=Math.min(Math.floor(r.positionOf(e)),r.count-1);return[
[n,n+1]]}function Rn(r){if(!r.missing)throw new g(`${r.name} has no missing values: its schema drops them`);return[[r.missingCode,r.missingCode+1]]}function We(r,t){
return Bt(t,r.missingCode)}function qe(r,t){let e=r.parse(t);if(e===null)throw new g(`${r.name}: cannot read '${t}' as ${r.type}`);return e}function $n({step:r},t,e){
return r?(e?Math.floor(t/r)+1:Math.ceil(t/r))*r:t}function Ke(r,t,e){let n=r.edge(0),s=r.edge(r.count);if(t>s||e<n||r.step&&(t===s||e===n)){let o=`${r.text(n)} \
to ${r.text(s-r.step)}`;throw new g(`${r.name} lies in ${o}; the range asked is outside`)}return[r.positionOf(t),r.positionOf(e)]}function ns({names:r}){return r.
length<=12?`known: ${r.join(", ")}`:`there are ${r.length} to choose from`}function rs(r){let t=r.trim().toLowerCase();return["false","f","no","n","0"].includes(
t)?"false":["true","t","yes","y","1"].includes(t)?"true":t}function*at(r){return yield,r()}function _(r){for(;;){let t=r.next();if(t.done)return t.value}}var ss=500;function U(r,t){return Qe(r.flatMap(e=>t.flatMap(n=>Ln(e,n))))}function Fn(r,t){let e=new Map,n=[];for(let i of r){let a=i.length===1?Object.keys(i[0]):
[];a.length===1?e.set(a[0],[...e.get(a[0])??[],...i[0][a[0]]]):n.push(i)}let s=[...e].map(([i,a])=>[{[i]:O(a)}]),o=[];for(let i of[...s,...n])o=Qe([...o,...Pt(i,
o,t)]);return Ye(o)}function Pt(r,t,e){let n=r;for(let s of t)n=Qe(n.flatMap(o=>os(o,s,e)));return n}function Ye(r){let t=[];for(let e of r){let n=t.findIndex(s=>Nn(
e,s).length===1);if(n<0)t.push(e);else{let[s]=Nn(e,t[n]);t[n]={...t[n],[s]:O([...t[n][s],...e[s]])}}}return t}function Ln(r,t){let e={...r};for(let[n,s]of Object.
entries(t))if(e[n]=n in r?M(r[n],s):s,e[n].length===0)return[];return[e]}function os(r,t,e){if(Ln(r,t).length===0)return[r];let n=[],s=r;for(let[o,i]of Object.entries(
t)){let a=e[Number(o)],l=s[o]??[[0,a]],u=M(l,Bt(i,a));u.length&&n.push({...s,[o]:u}),s={...s,[o]:M(l,i)}}return n}function Nn(r,t){let e=Object.keys(r);return String(
e)!==String(Object.keys(t))?["",""]:e.filter(n=>!xt(r[n],t[n]))}function Qe(r){if(r.length>ss)throw new g("the conditions fall into too many parts; ask with few\
er ORs");return r}var is={"=":"<>","<>":"=","!=":"=","<":">=",">=":"<",">":"<=","<=":">"};function At(r,t){return r===null?[{}]:Ze(r,t,!1)}function Ze(r,t,e){if(r.kind==="not")return Ze(
r.part,t,!e);if("parts"in r){let o=r.parts.map(i=>Ze(i,t,e));return r.kind==="and"!==e?o.reduce((i,a)=>U(i,a)):Fn(o,t.sizes)}let n=P(r.name,t);if(r.alone&&n.type!==
"boolean")throw new g(`${n.name} is no condition by itself; compare it with a value`);let s=as(r,n,e);return s.length?[{[n.axis]:s}]:[]}function as(r,t,e){if(r.
kind==="compare"){let s=e?is[r.sign]:r.sign;return s==="="?Ht(t,r.value):s==="<>"||s==="!="?We(t,Ht(t,r.value)):s[0]==="<"?it(t,null,r.value,{before:s==="<"}):it(
t,r.value,null,{after:s===">"})}if(r.kind==="null")return e?[[0,t.missingCode]]:Rn(t);let n=r.kind==="between"?it(t,r.low,r.high):O(r.values.flatMap(s=>Ht(t,s)));
return e?We(t,n):n}function P({text:r,quoted:t},e){let n=e.byName.get(r);if(n)return n;let s=e.attributes.filter(a=>a.name.toLowerCase()===r.toLowerCase());if(s.
length===1&&!t)return s[0];let o=e.attributes.map(a=>a.name),i=o.length<=12?`known: ${o.join(", ")}`:`there are ${o.length} to choose from`;throw new g(`the vie\
w has no attribute "${r}"; ${i}`)}var Je=1e4;function Dt(r,t,e,n){let s=n.map((l,u)=>l.filter(h=>t.some(c=>Bn(h,c[e[u]])))),o=s.reduce((l,u)=>l*u.length,1);if(o>Je){let l=o.toLocaleString("en-US");
throw new g(`that gives ${l} rows; group by fewer attributes, or narrow them down first`)}let i=new Float64Array(o);for(let l of t)r.grid(e,s,l,{within:!0}).forEach(
(u,h)=>{i[h]+=u});let a=Array.from(i,(l,u)=>{let h=ls(u,s).map((m,d)=>s[d][m]);return{labels:h.map((m,d)=>r.attributes[e[d]].describeBin(m)),bins:h,value:l,answer:null}});
return t.length===1?a:a.filter(({bins:l})=>t.some(u=>l.every((h,c)=>Bn(h,u[e[c]]))))}function Bn(r,t){return t===void 0||M([r],t).length>0}function ls(r,t){let e=new Array(
t.length),n=r;for(let s=t.length-1;s>=0;s-=1)e[s]=n%t[s].length,n=Math.floor(n/t[s].length);return e}var us={"=":(r,t)=>r===t,"<>":(r,t)=>r!==t,"!=":(r,t)=>r!==t,"<":(r,t)=>r<t,"<=":(r,t)=>r<=t,">":(r,t)=>r>t,">=":(r,t)=>r>=t};function Un(r,t,e){let n=tn(r,e);return t.
filter(s=>n(s)===!0)}function tn(r,t){if(r.kind==="not"){let i=tn(r.part,t);return a=>ms(i(a))}if("parts"in r){let i=r.parts.map(a=>tn(a,t));return a=>Xe(i,a,r.
kind==="or")}let e=hs(r).flatMap(i=>"value"in i?[]:[t(i)]);if(e.length===0)throw new g("HAVING compares what can be listed with values");let n=i=>"value"in i?cs(
e[0].read(i.value)):t(i).get,s=n(r.left);if(r.kind==="null")return i=>s(i)===null;if(r.kind==="between"){let[i,a]=[n(r.low),n(r.high)],l=[u=>jt(">=",s(u),i(u)),
u=>jt("<=",s(u),a(u))];return u=>Xe(l,u,!1)}if(r.kind==="in"){let i=r.values.map(n).map(a=>l=>jt("=",s(l),a(l)));return a=>Xe(i,a,!0)}let o=n(r.value);return i=>jt(
r.sign,s(i),o(i))}function hs(r){return r.kind==="compare"?[r.left,r.value]:r.kind==="between"?[r.left,r.low,r.high]:r.kind==="in"?[r.left,...r.values]:[r.left]}
function cs(r){return()=>r}function jt(r,t,e){return t===null||e===null?null:us[r](t,e)}function ms(r){return r===null?null:!r}function Xe(r,t,e){let n=!1;for(let s of r){
let o=s(t);if(o===e)return e;o===null&&(n=!0)}return n?null:!e}function en(r){let[t,e,n]=[r(0),r(.5),r(1)],s=2*(t-2*e+n),o=4*e-3*t-n,i=Math.sqrt(Math.max(o**2-4*s*t,0)),a=-(o+(o<0||Object.is(o,-0)?-i:i))/2,l=[a/s,t/a].filter(
h=>h>=0&&h<=1);return[t<=0?0:l.length?Math.min(...l):NaN,n<=0?1:l.length?Math.max(...l):NaN]}function Hn(r,t,e,n){let[s,o]=[Math.max(r,0),Math.max(e,0)],[i,a]=en(
l=>(s-l*o)**2-t**2-(l*n)**2);return[Number.isNaN(i)?1:i,Number.isNaN(a)?1:a]}function _t(r,t,e){let n=new Gt(r,t,e),s=n.value[0]-n.value[2],[o,i]=[n.stderr,n.reach].map(l=>Math.min(Math.sqrt(nn(l,[1,0,-1])),l[3]+l[4])),a=n.endless?1/0:i;
return{value:s,stderr:J(o),low:J(s-a),high:J(s+a),note:n.note}}function Pn(r,t,e){let n=new Gt(r,t,e),[s,o]=n.whole,i=o>0?s/o:NaN,a=Math.sqrt(nn(n.stderr,[1,1-i,
-i]))/Math.abs(o),[l,u]=n.ratios();n.endless&&([l,u]=[0,1/0]);let[h,c,m]=n.empty;m&&(l=Vt(l,1)),h&&(u=zt(u,1)),h&&c&&([l,u]=[0,0]),(n.unknown||c&&m)&&([l,u]=[NaN,
NaN]);let d={low:J(l),high:J(u)},f=Number.isNaN(i)?NaN:zt(Vt(i,l),u);return{value:J(f),stderr:J(a),...d,note:n.note}}var Gt=class{value;whole;stderr;reach;empty;unknown;endless;note;constructor(t,e,n){
let{sizes:s}=t,[o,i,a]=[Pt(e,n,s),U(e,n),Pt(n,e,s)],l=o.length&&a.length?Ye([...o,...a]):[],u=[o,i,a,e,n,l].map(c=>t.answer(c)),h=u.map(c=>t.reachOf(c));this.empty=
[o,i,a].map(c=>c.length===0),this.value=u.slice(0,3).map(c=>c.value),this.whole=u.slice(3,5).map(c=>c.value),this.unknown=h.some(Number.isNaN),this.endless=h.includes(
1/0),this.reach=h.map(c=>c===1/0?0:c),this.stderr=u.map((c,m)=>c.stderr??(h[m]===1/0?0:NaN)),this.note=u.map(c=>c.note??"").find(Boolean)??""}ratios(){let[t,e]=this.
accepted(c=>[1,1-c,-c]),[n,s]=this.accepted(c=>[c,c-1,-1]),[o,i]=[zt(t,1/s),Vt(e,1/n)],a=this.whole.map((c,m)=>Math.max(0,c-this.reach[3+m])),l=this.whole.map((c,m)=>Math.
max(0,c)+this.reach[3+m]),u=Vt(o,l[1]>0?a[0]/l[1]:0),h=zt(i,a[1]>0?l[0]/a[1]:1/0);return u<=h?[u,h]:[o,i]}accepted(t){return en(e=>{let n=t(e);return this.value.
reduce((o,i,a)=>o+n[a]*Math.max(0,i),0)**2-nn(this.reach,n)})}};function nn([r,t,e,n,s,o],[i,a,l]){let u=(i*r)**2+(a*t)**2+(l*e)**2,h=[[i*a,n,r,t],[a*l,s,t,e],[
i*l,o,r,e]];for(let[c,m,d,f]of h){let w=Math.min(Math.max((m**2-d**2-f**2)/2,-d*f),d*f);u+=2*c*(c<0?Math.min(w,0):w)}return Math.max(u,0)}function zt(r,t){return Number.
isNaN(r)||t<r?t:r}function Vt(r,t){return Number.isNaN(r)||t>r?t:r}function J(r){return Number.isFinite(r)?r:null}var j=class{most;entries=new Map;constructor(t){this.most=Math.max(1,Math.floor(1048576/Math.max(1,t)))}of(t,e){let n=this.entries.get(t);if(n!==void 0)return n;
this.entries.size>=this.most&&this.forgetOldest();let s=e();return this.entries.set(t,s),s}forgetOldest(){let[t]=this.entries.keys();this.entries.delete(t)}};var Dn=1e-12,jn=new Float64Array(0),q=class{constructor(t,e,n,s){this.lower=t;this.upper=e;this.which=n;this.mass=s;this.count=t.length,this.shares=new j(this.count),
this.touches=new j(this.count),this.prefix=ps(s??jn),this.start=new Float64Array(this.count),this.stop=new Float64Array(this.count),this.flat=new Uint8Array(this.
count).fill(s?0:1);for(let o=0;o<this.count;o+=1){if(s){if(this.start[o]=this.at(t[o]),this.stop[o]=this.at(e[o]),this.stop[o]>this.start[o])continue;this.flat[o]=
1}this.start[o]=t[o],this.stop[o]=e[o]}}lower;upper;which;mass;count;shares;touches;prefix;start;stop;flat;at(t){let e=this.mass??jn,n=Math.min(Math.floor(t),e.
length-1);return this.prefix[n]+(t-n)*e[n]}covered(t){return this.shares.of(t,()=>this.coverage(t))}coverage(t){let e=new Float64Array(this.count),n=this.rulers(
t);for(let s=0;s<this.count;s+=1)e[s]=this.ratio(s,n);return e}rulers(t){let e=this.mass&&Gn(t,n=>this.at(n));return{intervals:t,begins:t.map(([n])=>n),massive:e,
even:Gn(t,n=>n)}}ratio(t,{intervals:e,begins:n,massive:s,even:o}){if(e.length===0)return 0;let i=C(n,this.lower[t]);if(i>=0&&this.upper[t]<=e[i][1])return 1;let a=this.
flat[t]||s===null?o:s,l=zn(a,i,this.lower[t]),h=(zn(a,C(n,this.upper[t]),this.upper[t])-l)/(this.stop[t]-this.start[t]);return h>1-Dn?1:h>Dn?h:0}touched(t){return this.
touches.of(t,()=>this.touching(t))}touching(t){let e=new Uint8Array(this.count),n=t.map(([s])=>s);for(let s=0;s<this.count;s+=1){let o=C(n,this.lower[s]);o>=0&&
this.upper[s]<=t[o][1]?e[s]=2:(o>=0&&this.lower[s]<t[o][1]||o+1<n.length&&n[o+1]<this.upper[s])&&(e[s]=1)}return e}spread(t,e=null){let n=new Int32Array(this.count+
1),s=[],o=[],i=t.map(l=>this.rulers(e?M([l],e):[l])),a=t.map(([l])=>l);for(let l=0;l<this.count;l+=1){for(let u=Math.max(0,C(a,this.lower[l]));u<t.length&&!(t[u][0]>=
this.upper[l]);u+=1){let h=this.ratio(l,i[u]);h!==0&&(s.push(u),o.push(h))}n[l+1]=s.length}return{first:n,bin:Int32Array.from(s),share:Float64Array.from(o)}}};function ps(r){
let t=new Float64Array(r.length+1);for(let e=0;e<r.length;e+=1)t[e+1]=t[e]+r[e];return t}function Gn(r,t){let e=r.map(o=>t(o[0])),n=r.map(o=>t(o[1])),s=[0];for(let o=0;o<
e.length;o+=1)s.push(s[o]+(n[o]-e[o]));return{low:e,high:n,before:s,at:t}}function zn(r,t,e){return t<0?0:r.before[t]+(Math.min(r.at(e),r.high[t])-r.low[t])}function C(r,t){
let e=0,n=r.length;for(;e<n;){let s=e+n>>1;r[s]<=t?e=s+1:n=s}return e-1}var ds=2e4,qt=100,fs=[0,.001,.003,.01,.03,.1];function Kt(r,t,e,n){let s=Yt(r.attributes[t],n[t]),o=_n(r,t,s,n);return e.map(i=>qn(s,o,i))}function*Wt(r,t,e,n){
let s=r.attributes[t],o=Yt(s,n[t]),i=_n(r,t,o,n),a=bs(i,e),l=[],u=[],h=M(n[t]??[[0,s.size]],[[0,s.count]]);for(let c of a){let m=o.codes[c],d=r.answer({...n,[t]:M(
h,[[0,m]])}),f=r.answer({...n,[t]:M(h,[[m,s.count]])});l.push(Vn(d.low,f.high,0)),u.push(Vn(d.high,f.low,1)),yield}return e.map(c=>gs(o,i,c,a,l,u))}function Yt(r,t){
let e=[],n=[],s=[],o=Math.max(1,Math.ceil(r.count/ds));for(let[i,a]of M(t??[[0,r.size]],[[0,r.count]]))for(let l=Math.floor(i/o)*o;l<a;l+=o){let u=r.tickAt(Math.
max(i,l)),h=r.tickAt(Math.min(a,l+o,r.count))-r.step;e[e.length-1]===l?s[s.length-1]=h:(e.push(l),n.push(u),s.push(Math.max(u,h)))}return{codes:e,first:n,last:s,
each:o}}function _n(r,t,{codes:e,each:n},s){let{count:o}=r.attributes[t],i=e.map(a=>[a,Math.min(a+n,o)]);return r.grid([t],[i],s,{within:!0}).map(a=>Math.max(a,
0))}function qn({first:r,last:t},e,n){let s=e.reduce((i,a)=>i+a,0);if(!(s>0))return null;let o=0;for(let i=0;i<e.length;i+=1){if(e[i]>0&&o+e[i]>=n*s*(1-1e-12)){
let a=Math.min(1,Math.max(0,(n*s-o)/e[i]));return r[i]+a*(t[i]-r[i])}o+=e[i]}return t[t.length-1]}function gs(r,t,e,n,s,o){let i=qn(r,t,e);if(i===null)return null;
if(s.includes(null)||o.includes(null))return{value:i,low:null,high:null};let a=t.length,l=m=>m===a?1:s[C(n,m)]??0,u=m=>m===0?0:o[C(n,m-1)+1]??1,h=0;for(;h<a-1&&
u(h+1)<e;)h+=1;let c=a-1;for(;c>0&&l(c)>=e;)c-=1;return{value:i,low:Math.min(i,r.first[h]),high:Math.max(i,r.last[c])}}function bs(r,t){let e=r.reduce((l,u)=>l+
u,0);if(r.length<=qt||!(e>0))return Array.from({length:Math.max(0,Math.min(r.length,qt)-1)},(l,u)=>u+1);let n=[],s=0;for(let l of r)s+=l,n.push(s/e);let a=[...Array.
from({length:qt},(l,u)=>u/(qt-1)),...t.flatMap(l=>fs.flatMap(u=>[l-u,l+u]))].flatMap(l=>{let u=n.findIndex(h=>h>=l);return u<0?[]:[u,u+1]});return[...new Set(a)].
filter(l=>l>0&&l<r.length).sort((l,u)=>l-u)}function Vn(r,t,e){return r===null||t===null?null:r+t===0?e:r/(r+t)}var Qt=50;function rn(r,t,e){let n=r.attributes[t],s=[[0,n.count]],o=Yt(n,O(e.flatMap(h=>h[t]??s))),i=new Float64Array(o.codes.length),a=o.codes.map(h=>[h,Math.
min(h+o.each,n.count)]);for(let h of e){let c=r.grid([t],[a],h,{within:!0});for(let m=0;m<i.length;m+=1)i[m]+=c[m]}let l=0,u=0;for(let h=0;h<i.length;h+=1)i[h]=
Math.max(i[h],0),l+=i[h],u+=i[h]*((o.first[h]+o.last[h])/2);return{value:l>0?u/l:null,sum:l>0?u:null,total:l,mass:i,bins:o}}function*Kn(r,t,e,{sum:n=!1}={}){let s=rn(
r,t,e),o=n?s.sum:s.value;if(o===null||s.value===null)return{value:null,low:null,high:null};let i=yield*ws(r,t,e,s);if(i===null)return{value:o,low:null,high:null};
let{low:a,high:l}=ys(s,i);if(!n)return{value:o,low:Math.min(o,a),high:Math.max(o,l)};let h=[Math.min(s.value,a),Math.max(s.value,l)].flatMap(c=>[c*i.count.low,c*
i.count.high]);return{value:o,low:Math.min(o,...h),high:Math.max(o,...h)}}function*ws(r,t,e,{mass:n,total:s,bins:o}){let{count:i}=r.attributes[t],a=(f,w)=>{let y=e.
map(x=>({...x,[t]:M(x[t]??[[0,i]],[[f,w]])}));return r.answer(y.filter(x=>x[t].length))},l=a(0,i);if(l.low===null)return null;let u=vs(n,s),h=[],c=[],m=0,d=0;for(let f of u){
for(;d<f;)m+=n[d++];let w=m<=s/2,y=o.codes[f],x=w?a(0,y):a(y,i);if(x.low===null)return null;let I=l.high>0?Math.min(x.low/l.high,1):0,k=l.low>0?Math.min(x.high/
l.low,1):1;h.push(w?I:1-k),c.push(w?k:1-I),yield}return{chosen:u,low:h,high:c,count:l}}function ys({mass:r,bins:t},{chosen:e,low:n,high:s}){let o=r.length,i=m=>m===
o?1:n[C(e,m)]??0,a=m=>m===0?0:s[C(e,m-1)+1]??1,l=0,u=0;for(let m=0;m<o;m+=1){let d=Math.max(u,a(m+1));l+=t.first[m]*(d-u),u=d}let h=0,c=i(o);for(let m=o-1;m>=0;m-=
1){let d=Math.min(c,i(m));h+=t.last[m]*(c-d),c=d}return{low:l,high:h}}function vs(r,t){if(r.length<=Qt||!(t>0))return Array.from({length:Math.max(0,Math.min(r.length,
Qt)-1)},(o,i)=>i+1);let e=new Set,n=0,s=-1;for(let o=0;o<Qt;o+=1){let i=o/(Qt-1);for(;s<r.length&&(s<0||n/t<i);)s+=1,s<r.length&&(n+=r[s]);e.add(s).add(s+1)}return[
...e].filter(o=>o>0&&o<r.length).sort((o,i)=>o-i)}var xs="COUNT(non-empty cells)";function lt(r){return r===xs?"SUM(cells)":r}function sn({measure:r,text:t},e){if(r.kind==="share")return Es(r,e);if("one"in r)return Ms(
r,e);let n=Wn({measure:r,text:t},e.engine);if(n)return As(e,n,t,r);if(r.of===null)throw new g(`${t} needs an attribute`);return Ss(e,r,P(r.of,e.engine),t)}function Wn({
measure:r,text:t},e){let n=lt(e.facts.measure),s=At(r.filter,e);if(t.toLowerCase()===n.toLowerCase())return s;let o=r.of&&P(r.of,e);if(n!=="COUNT(*)"||!o)throw new g(
`this view tells ${n}, not ${t}`);return r.kind==="count"?U(s,[{[o.axis]:[[0,o.missingCode]]}]):null}function As(r,t,e,{kind:n,of:s,filter:o}){let i=o===null&&!(n===
"count"&&s),a=l=>i?r.answer(l):r.engine.answer(U(r.parts(l),t));return{title:e,digits:0,value:l=>i?l.value:a(l).value,figure:l=>at(()=>a(l))}}function Ms({kind:r,
one:t,other:e,scale:n},s){let{engine:o}=s,[i,a]=[t,e].map(c=>Wn(c,o));if(!i||!a)throw new g("only two totals can be compared, not means or sums of an attribute");
let l=r==="ratio"?Pn:_t,u=c=>c===null?null:n*c,h=c=>{let m=s.parts(c),{value:d,low:f,high:w,note:y}=l(o,U(m,i),U(m,a));return{value:u(d),low:u(f),high:u(w),note:y}};
return{title:r,digits:r==="ratio"?4:0,value:c=>h(c).value,figure:c=>at(()=>h(c))}}function Ss(r,{kind:t,filter:e},n,s){let{engine:o}=r;if(!n.ordered)throw new g(
`${n.name} has no order, so it has no ${t==="avg"?"mean":"sum"}`);if(n.isCalendar)throw new g(`${n.name} is a date; the table of quantiles tells of it, and ripo\
st query its mean`);let i=t==="sum",a=U(At(e,o),[{[n.axis]:[[0,n.count]]}]),l=u=>U(r.parts(u),a);return{title:s,digits:2,value:u=>rn(o,n.axis,l(u))[i?"sum":"val\
ue"],*figure(u){let h=o.note(l(u),[n.axis]);return{...yield*Kn(o,n.axis,l(u),{sum:i}),note:h}}}}function Es({of:r,whole:t,within:e,scale:n,written:s},o){let i=lt(
o.engine.facts.measure);if(s==="OVER"){let c=t==="count"?"COUNT(*)":`SUM(${r?.text})`;if(t==="count"&&r||c.toLowerCase()!==i.toLowerCase())throw new g(`a share \
is of ${i} here, or ask SHARE(*)`);if(o.filtered)throw new g("a share by OVER counts what HAVING leaves; ask SHARE(*), which does not")}let a=e.map(c=>o.place(c,
"PARTITION BY")),l=new Map,u=c=>{let m=a.map(f=>c.bins[f][0]).join(" "),d=l.get(m)??o.engine.answer(o.parts(c,a));return l.set(m,d),d},h=c=>{let[m,d]=[o.answer(
c),u(c)],f=d.value?n*m.value/d.value:null,{note:w}=m;if(m.low===null||d.low===null)return{value:f,low:null,high:null,note:w};let[y,x]=o.engine.shareBounds(m,d);
return{value:f,low:n*y,high:n*x,note:w}};return{title:"SHARE(*)",digits:4,value:c=>u(c).value?n*c.value/u(c).value:null,figure:c=>at(()=>h(c))}}var an="ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*)";function Yn(r){if("name"in r||"measure"in r)return r;
if("number"in r)return Is(r.number);let{factor:t,inner:e}=Mt(r);if("measure"in e&&e.measure)return ks(e,t);if(!("sign"in e))throw new g(`cannot answer this by i\
tself; ${an}`);return e.sign==="/"&&"whole"in e.right?Ts(t,e.left,e.right):Os(t,e)}function Is(r){if(!Number.isInteger(r))throw new g("a place in the list needs\
 a whole number");return{number:r}}function Mt(r){if(!("sign"in r)||r.sign!=="*")return{factor:1,inner:r};for(let[t,e]of[[r.left,r.right],[r.right,r.left]]){if(!("\
number"in t)||t.number===void 0)continue;let{factor:n,inner:s}=Mt(e);return{factor:n*t.number,inner:s}}return{factor:1,inner:r}}function ks({measure:r,text:t},e){
if(r.kind==="share")return{measure:{...r,scale:r.scale*e},text:t};throw new g(`only a share, a difference or a ratio can be multiplied; ${an}`)}function Ts(r,t,{
whole:e,within:n}){let{factor:s,inner:o}=Mt(t),i=on(o),a=i?.measure.filter===null&&"text"in e&&e.text===i.text;if(!i||!a||i.measure.kind==="avg")throw new g("on\
ly a total can be divided by its sum OVER (), as in COUNT(*) / SUM(COUNT(*)) OVER (); or ask SHARE(*)");let{kind:l,of:u}=i.measure;return{measure:{kind:"share",
of:u,whole:l,within:n,scale:r*s,written:"OVER"},text:"share"}}function Os(r,{sign:t,left:e,right:n}){let s=t==="/",[o,i]=[Mt(e),Mt(s&&"nullIfZero"in n?n.nullIfZero:
n)],[a,l]=[on(o.inner),on(i.inner)],u=s?i.factor!==0:o.factor===i.factor,h=a&&l&&a.measure.kind!=="avg"&&l.measure.kind!=="avg";if(t==="*"||!u||!h)throw new g(`\
cannot answer this; ${an}`);let c=s?"ratio":"difference",m=r*(s?o.factor/i.factor:o.factor);return{measure:{kind:c,one:a,other:l,scale:m},text:c}}function on(r){
if(!("measure"in r)||!r.measure)return null;let{measure:t,text:e}=r;return"filter"in t?{measure:t,text:e}:null}var Zt=new RegExp([/(?<space>\s+|--[^\n]*)/.source,/(?<text>'(?:[^']|'')*')/.source,/(?<quoted>"(?:[^"]|"")*")/.source,/(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.
source,/(?<word>[\p{L}_][\p{L}\p{N}_$]*)/u.source,/(?<sign><=|>=|<>|!=|[-+*/%=<>(),.;])/.source].join("|"),"uy"),Qn=5e4;function Zn(r){if(r.length>Qn)throw new g(
`the question is too long: ${r.length} characters, at most ${Qn}`);let t=[];for(Zt.lastIndex=0;Zt.lastIndex<r.length;){let e=Zt.lastIndex,n=Zt.exec(r),s=Object.
entries(n?.groups??{}).find(([,l])=>l!==void 0);if(!s)throw new g(`cannot read the question from ${H(r.slice(e))} on`);let[o,i]=s;if(o==="space")continue;let a=o===
"text"||o==="quoted"?Cs(i):i;t.push({kind:o,text:a,upper:o==="word"?i.toUpperCase():o==="sign"?i:""})}return[...t,{kind:"end",text:"the end",upper:""}]}function H(r){
let t=r.replace(/\s+/g," ");return`"${t.length>40?`${t.slice(0,39)}…`:t}"`}function Cs(r){let t=r[0];return r.slice(1,-1).replaceAll(t+t,t)}var G="what can be asked: SELECT attributes, COUNT(*), SHARE(*), COUNT, AVG or SUM of an attribute, each perhaps with FILTER (WHERE …), and the difference or th\
e ratio of two totals FROM view WHERE conditions (AND, OR, NOT, =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL) GROUP BY attributes HAVING … ORDER BY … LIMIT …",
ln="ripost query and view.sql can answer it",$s=200,Jn=["=","<>","!=","<","<=",">",">="],Rs="SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET BY AND OR NOT AS \
JOIN OVER PARTITION FILTER UNION".split(" "),Jt=class{constructor(t){this.tokens=t}tokens;at=0;depth=0;enter(){if(this.depth+=1,this.depth>$s)throw new g("the q\
uestion is nested too deeply")}isValue(){let t=this.peek(),e=this.tokens[this.at+1];return t.kind==="number"?!["*","/"].includes(e.upper):t.kind==="text"||["-",
"+"].includes(t.upper)?!0:this.isTyped()||["TRUE","FALSE"].includes(t.upper)&&Jn.includes(e.text)}isTyped(){return["DATE","TIMESTAMP"].includes(this.peek().upper)&&
this.tokens[this.at+1].kind==="text"}value(){this.isTyped()&&this.next();let t=this.take("-")?"-":"";t||this.take("+");let e=this.next();if(e.kind==="number"||e.
kind==="text"&&!t)return t+e.text;if(["TRUE","FALSE"].includes(e.upper)&&!t)return e.text.toLowerCase();throw e.upper==="NULL"?new g("nothing equals NULL; ask I\
S NULL or IS NOT NULL"):new g(`expected a value and found ${H(e.text)}; put text in single quotes, as in 'JFK'`)}sign(){let t=this.next();if(!Jn.includes(t.text))
throw new g(`cannot read ${H(t.text)} as a comparison; ${G}`);return t.text}name(t){let e=this.next();if(!(e.kind==="quoted"||e.kind==="word"&&!Rs.includes(e.upper)))
throw new g(`expected ${t} and found ${H(e.text)}; ${G}`);return{text:e.text,quoted:e.kind==="quoted"}}whole(t){let e=this.next();if(e.kind!=="number"||!/^\d{1,9}$/.
test(e.text))throw new g(`${t} needs a whole number`);return Number(e.text)}list(t){let e=[t()];for(;this.take(",");)e.push(t());return e}peek(){return this.tokens[this.
at]}next(){let t=this.tokens[this.at];return t.kind!=="end"&&(this.at+=1),t}take(t){return this.peek().upper!==t?!1:(this.at+=1,!0)}takeBoth(t,e){return this.take(
t)?(this.expect(e),!0):!1}expect(t){if(!this.take(t))throw new g(`expected ${t} and found ${H(this.peek().text)}; ${G}`)}refuse(t){throw new g(`${H(t)} is not k\
nown here; ${G}`)}defer(t){throw new g(`${t} is not known here; ${ln}`)}};var Ns={"<":">","<=":">=",">":"<",">=":"<="},Fs=["AND","OR",")","GROUP","HAVING","ORDER","LIMIT","OFFSET",";",""],Xt=class extends Jt{where(){return this.either(
()=>this.condition())}either(t){let e=[this.both(t)];for(;this.take("OR");)e.push(this.both(t));return e.length===1?e[0]:{kind:"or",parts:e}}both(t){let e=[this.
negation(t)];for(;this.take("AND");)e.push(this.negation(t));return e.length===1?e[0]:{kind:"and",parts:e}}negation(t){this.enter();let e;return this.take("NOT")?
e={kind:"not",part:this.negation(t)}:this.take("(")?(e=this.either(t),this.expect(")")):e=t(),this.depth-=1,e}condition(){if(this.isValue()){let n=this.value(),
s=this.sign();return{kind:"compare",sign:Ns[s]??s,name:this.name("an attribute"),value:n}}let t=this.term(),{name:e}=t;if(!e)throw new g(`WHERE takes attributes\
; put ${H(t.measure?t.text:String(t.number))} into HAVING`);return Fs.includes(this.peek().upper)?{kind:"compare",sign:"=",name:e,value:"true",alone:!0}:this.tested(
()=>this.value(),n=>({name:e,...n}))}comparison(){let t=()=>this.isValue()?{value:this.value()}:this.term(),e=t();return this.tested(t,n=>({left:e,...n}))}tested(t,e){
if(this.take("IS")){let s=this.take("NOT");return this.expect("NULL"),un(s,e({kind:"null"}))}let n=this.take("NOT");if(this.take("BETWEEN")){let s=t();return this.
expect("AND"),un(n,e({kind:"between",low:s,high:t()}))}if(this.take("IN")){this.expect("(");let s=this.list(t);return this.expect(")"),un(n,e({kind:"in",values:s}))}
if(n)throw new g(`after NOT comes BETWEEN or IN; ${G}`);return e({kind:"compare",sign:this.sign(),value:t()})}};function un(r,t){return r?{kind:"not",part:t}:t}var Ls=["MEDIAN","QUANTILE","QUANTILE_CONT","QUANTILE_DISC","PERCENTILE_CONT","APPROX_QUANTILE"],Bs=["ROLLUP","CUBE","GROUPING"],Us=["WIDTH","FLOOR","EXTRACT","\
DATE_TRUNC","DATE_PART","YEAR","QUARTER","MONTH","WEEK","DAY","HOUR"],te=class extends Xt{term(){return Yn(this.difference())}difference(){this.enter();let t=this.
product();for(;this.take("-");)t={sign:"-",left:t,right:this.product()};return this.depth-=1,t}product(){let t=this.factor();for(;["*","/"].includes(this.peek().
upper);)t={sign:this.next().upper,left:t,right:this.factor()};return t}factor(){let t=this.peek();if(t.kind==="number")return{number:Number(this.next().text)};if(this.
take("(")){let n=this.difference();return this.expect(")"),n}if(t.upper==="*")throw new g("SELECT * has no rows to show here: ask for COUNT(*)");let e=this.name(
"an attribute or COUNT(*)");return this.take("(")?this.called(e):{name:e}}called({text:t}){let e=t.toUpperCase();if(e==="CAST"||e==="NULLIF")return this.wrapped(
e);if(e==="SHARE")return this.shareOf();if(Ls.includes(e))throw new g(`${t}() is not known here; the table of quantiles tells it`);if((Bs.includes(e)||Us.includes(
e))&&this.defer(`${t}()`),!["COUNT","SUM","AVG","MEAN"].includes(e))throw new g(`${t}() is not known here; ${G}`);if(e==="SUM"&&this.tokens[this.at+1].text==="(")
return this.summedOver();if(e==="COUNT"&&this.take("*"))return this.expect(")"),this.filtered("count",null,"COUNT(*)");if(this.peek().upper==="DISTINCT")throw new g(
"the view holds no distinct values; ask COUNT(*), or group by the attribute");let n=this.name("an attribute");this.expect(")");let s=e==="COUNT"?"count":e==="SU\
M"?"sum":"avg";return this.filtered(s,n,`${s.toUpperCase()}(${n.text})`)}wrapped(t){let e=this.difference();if(t==="CAST")return this.expect("AS"),this.name("a \
type"),this.expect(")"),e;if(this.expect(","),this.next().text!=="0")throw new g(`NULLIF is known with 0 alone; ${G}`);return this.expect(")"),{nullIfZero:e}}filtered(t,e,n){
if(!this.take("FILTER"))return{measure:{kind:t,of:e,filter:null},text:n};this.expect("("),this.expect("WHERE");let s=this.where();return this.expect(")"),{measure:{
kind:t,of:e,filter:s},text:n}}shareOf(){if(this.take("*"),this.expect(")"),this.peek().upper==="FILTER")throw new g("SHARE takes no FILTER; ask COUNT(*) FILTER \
(WHERE …) / COUNT(*)");return{measure:{kind:"share",of:null,whole:"",within:this.take("OVER")?this.window():[],scale:1,written:"SHARE"},text:"SHARE(*)"}}summedOver(){
let t=this.term();return this.expect(")"),this.expect("OVER"),{whole:t,within:this.window()}}window(){this.expect("(");let t=this.takeBoth("PARTITION","BY")?this.
list(()=>this.term()):[];if(this.peek().upper==="ORDER")throw new g(`a share is OVER () or OVER (PARTITION BY …), without ORDER BY; ${ln}`);return this.expect(
")"),t}};function Xn(r){return new hn(Zn(r)).query()}var hn=class extends te{query(){this.expect("SELECT"),this.peek().upper==="DISTINCT"&&this.refuse("DISTINCT");let t=this.
list(()=>this.item());this.expect("FROM");let e=this.name("the table, which is called view");if(e.text.toLowerCase()!=="view")throw new g(`there is one table he\
re, view; not ${H(e.text)}`);let n=this.take("(");n&&(this.expect("SIMULTANEOUS"),this.expect(")")),this.peek().kind==="sign"&&this.peek().text===","&&this.refuse(
"more than one table");let s=this.take("WHERE")?this.where():null,o=this.takeBoth("GROUP","BY")?this.list(()=>this.term()):[],i=this.take("HAVING")?this.either(
()=>this.comparison()):null,a=this.takeBoth("ORDER","BY")?this.list(()=>this.ordering()):[],l=this.take("LIMIT")?this.whole("LIMIT"):null,u=this.take("OFFSET")?
this.whole("OFFSET"):0;return this.take(";"),this.peek().kind!=="end"&&this.refuse(this.peek().text),{items:t,where:s,group:o,having:i,order:a,limit:l,offset:u,
simultaneous:n}}item(){let t=this.term(),e=this.peek(),n=this.take("AS")||e.kind==="quoted"||e.kind==="word"&&e.upper!=="FROM";return{...t,alias:n?this.name("a \
name after AS").text:null}}ordering(){let t=this.term(),e=this.take("DESC");e||this.take("ASC");let n=!1;return this.take("NULLS")&&(n=this.take("FIRST"),n||this.
expect("LAST")),{...t,down:e,nullsFirst:n}}};var ut=class{constructor(t,e,n,s=!1){this.engine=t;this.boxes=e;this.group=n;this.filtered=s}engine;boxes;group;filtered;parts(t,e=this.group.map((n,s)=>s)){return this.
boxes.map(s=>{let o={...s};for(let i of e){let{axis:a}=this.group[i];o[a]=Ut(t.bins[i],o[a])}return o}).filter(s=>e.every(o=>s[this.group[o].axis].length))}answer(t){
return t.answer??=this.engine.answer(this.parts(t),t.value),t.answer}place(t,e){let n=t.name?this.group.indexOf(P(t.name,this.engine)):-1;if(n<0)throw new g(`${e}\
 takes what stands in GROUP BY`);return n}};function tr(r,[t]){return t>=r.count?r.other&&t===r.count?1/0:null:r.ordered?r.edge(t):r.names[t]}function er(r,t){if(!r.
ordered)return t;let e=r.parse(t);if(e===null)throw new g(`${r.name}: cannot read '${t}' as ${r.type}`);return e}function ee(r,t,{simultaneous:e=!1}={}){let n=Xn(t),s=r.jointly(1),o=n.items.map(d=>({...d,attribute:d.name?P(d.name,s):null})),i=Ps(n.group,o,s),a=At(n.where,s),
l=new ut(s,a,i,n.having!==null),u=o.map(d=>Ds(d,l));if(!u.some(d=>d.measure))throw new g(`list ${lt(s.facts.measure)} too: a view holds totals, not rows`);let h=d=>js(
d,u,l),c=qs(l);(e||n.simultaneous)&&(s.together=c.length*Hs(n.items)),n.having&&(c=Un(n.having,c,h)),_s(c,n.order,h);let m=n.limit===null?c.length:n.offset+n.limit;
return{columns:u.map(d=>d.column),rows:c.slice(n.offset,m)}}function Hs(r){return new Set(r.flatMap(t=>t.measure?[cn(t.measure,t.text)]:[])).size}function cn(r,t){
return JSON.stringify([t,r])}function Ps(r,t,e){let n=r.map(s=>{let o=sr(s,t),i=o?o.attribute:s.name&&P(s.name,e);if(!i)throw new g("GROUP BY takes attributes");
return i});return[...new Set(n)]}function Ds(r,t){let{alias:e,attribute:n}=r;if(r.measure){let o=rr(sn(r,t));return{alias:e,attribute:n,asked:r,measure:o,column:{
...o,name:e??o.title}}}if(!n)throw new g("SELECT takes attributes and measures, not numbers");let s=t.group.indexOf(n);if(s<0)throw new g(`${n.name} must be in \
GROUP BY to be listed`);return{alias:e,attribute:n,asked:null,measure:null,column:mn(e??n.name,s)}}function mn(r,t){return{name:r,text:e=>e.labels[t],key:e=>e.bins[t][0]}}
function rr(r){let t=new Map,e=new Map;return{...r,value(n){let s=t.get(n),o=s===void 0?r.value(n):s;return t.set(n,o),o},*figure(n){let s=e.get(n)??(yield*r.figure(
n));return e.set(n,s),s}}}function js(r,t,e){let n=sr(r,t),s=n?.measure??(r.measure&&Gs(r,t,e));if(s)return{get:l=>s.value(l),read:nr};let o=!n&&r.name?zs(r,t):
null;if(o)return{get:l=>_(o.measure.figure(l))[o.end],read:nr};let i=n?n.attribute:r.name&&P(r.name,e.engine);if(!i)throw new g("only what can be listed can be \
compared or ordered by");let a=e.group.indexOf(i);if(a<0)throw new g(`${i.name} must be in GROUP BY to be compared or ordered by`);return{get:l=>tr(i,l.bins[a]),
read:l=>er(i,l)}}function Gs(r,t,e){let n=cn(r.measure,r.text);return t.find(({asked:o})=>o&&cn(o.measure,o.text)===n)?.measure??rr(sn(r,e))}function zs({name:r},t){
for(let{alias:e,measure:n}of t)for(let s of["low","high"])if(n&&e&&`${e}_${s}`.toLowerCase()===r.text.toLowerCase())return{measure:n,end:s};return null}function nr(r){
let t=Number(r);if(r.trim()===""||!Number.isFinite(t))throw new g(`a measure is compared with a number, not '${r}'`);return t}function sr(r,t){if(r.number!==void 0)
return Vs(r,t);let{name:e}=r;return e?t.find(n=>n.alias?.toLowerCase()===e.text.toLowerCase()):void 0}function Vs({number:r},t){let e=t[r-1];if(!e)throw new g(`\
there is no item ${r} in the list`);return e}function _s(r,t,e){let n=t.map(i=>({...i,get:e(i).get})),s=i=>+(i===null),o=({get:i,down:a,nullsFirst:l},u,h)=>{let[
c,m]=[i(u),i(h)];return c===null||m===null?(s(c)-s(m))*(l?-1:1):(c<m?-1:+(c>m))*(a?-1:1)};r.sort((i,a)=>n.reduce((l,u)=>l||o(u,i,a),0))}function qs({engine:r,boxes:t,
group:e}){let n=e.map(s=>s.axis);return t.length?Dt(r,t,n,e.map(Ks)):n.length?[]:[{labels:[],bins:[],value:0,answer:null}]}function Ks(r){if(r.size>Je)throw new g(
`${r.name} has ${r.size.toLocaleString("en-US")} values, too many to group by`);return Array.from({length:r.size},(t,e)=>[e,e+1])}var K=(r,t)=>({length:r,months:0,at:t}),pn=(r,t,e)=>({length:t*864e5,months:r,at:e}),X={year:pn(12,365,r=>r.getUTCFullYear()),quarter:pn(3,90,r=>Math.floor(r.getUTCMonth()/
3)+1),month:pn(1,28,r=>r.getUTCMonth()+1),week:K(6048e5,Ws),day:K(864e5,r=>r.getUTCDate()),dow:K(864e5,r=>r.getUTCDay()),isodow:K(864e5,r=>r.getUTCDay()||7),doy:K(
864e5,r=>(St(X.day,r.getTime())-Date.UTC(r.getUTCFullYear()))/864e5+1),hour:K(36e5,r=>r.getUTCHours()),minute:K(6e4,r=>r.getUTCMinutes()),second:K(1e3,r=>r.getUTCSeconds())};
function Ws(r){let t=new Date(St(X.week,r.getTime())+2592e5);return Math.floor((t.getTime()-Date.UTC(t.getUTCFullYear()))/(7*864e5))+1}function St({months:r,length:t},e){
let n=new Date(e);if(r)return Date.UTC(n.getUTCFullYear(),Math.floor(n.getUTCMonth()/r)*r);let s=t===7*864e5?3456e5:0;return Math.floor((e-s)/t)*t+s}function or({
months:r,length:t},e){if(!r)return e+t;let n=new Date(e);return Date.UTC(n.getUTCFullYear(),n.getUTCMonth()+r)}function tt(r,t,e,n=[0,r.count]){let s=X[t];if((r.tickAt(n[1])-r.tickAt(n[0]))/s.length>1.2*e+2)return null;let o=[],i=r.tickAt(n[1]);for(let a=St(s,r.tickAt(n[0]));a<
i;){let l=or(s,a),[u,h]=[a,l].map(m=>r.positionOf(m)),c=[Math.max(u,n[0]),Math.min(h,n[1])];if(c[0]%1||c[1]%1)return null;c[0]<c[1]&&o.push(c),a=l}return o.length<=
e?o:null}function ir(r,[t,e]){let[n,s]=[r.tickAt(t),r.tickAt(e)],o=Ys.find(i=>St(X[i],n)===n&&or(X[i],n)===s);return o?Qs(o,n):r.describeRange(t,e)}var Ys=["yea\
r","quarter","month","week","day","hour"];function Qs(r,t){let e=new Date(t).toISOString();return r==="year"?e.slice(0,4):r==="quarter"?`${e.slice(0,4)} Q${X.quarter.
at(new Date(t))}`:r==="month"?e.slice(0,7):r==="week"?`week of ${e.slice(0,10)}`:r==="day"?e.slice(0,10):e.slice(0,16).replace("T"," ")}function ar(r,t,e){let n=t.
map(([l])=>r.tickAt(l)),s=n.slice(1),o=l=>s.every(u=>St(X[l],u)===u),i=new Date(r.tickAt(e[0])).toISOString();return o("year")?i.slice(0,4):o("month")?i.slice(0,
7):o("day")?i.slice(0,10):(n[n.length-1]-n[0])/864e5<=1?i.slice(11,16):i.slice(5,16).replace("T"," ")}var Et=["year","quarter","month","week","day","hour"];function ht(r,t,e,n=e){let s=t.special.map(a=>[a,a+1]);if(!t.ordered)return[...r.engine.largestNames(t.axis).
slice(0,e).map(l=>[l,l+1]),...s];if(!t.isCalendar)return t.displayBins(e);let o=r.grains[t.axis],i=o&&tt(t,o.unit,n,o.window??void 0);return i?[...i,...s]:Zs(t,
e)}function Zs(r,t){let e=r.displayBins(t);if(r.count<=t)return e;let n=e.filter(([o])=>o>=r.count),s=Et.map(o=>tt(r,o,t)).findLast(o=>o&&o.length>1);return s?[
...s,...n]:e}function T(r,t){return r.isCalendar&&t[0]<r.count?ir(r,t):r.describeBin(t)}function It(r,t,e){if(!r.ordered||e[0]>=r.count)return r.describe(e[0]);
if(!r.isCalendar)return r.text(r.tickAt(e[0]));let n=t.filter(([s])=>s<r.count);return ar(r,n,e)}var Js="http://www.w3.org/2000/svg";function p(r,t={},...e){return ur(document.createElement(r),t,e)}function b(r,t={},...e){return ur(document.createElementNS(
Js,r),t,e)}function S(r,t){for(let[e,n]of Object.entries(t))n===null||n===!1?r.removeAttribute(e):r.getAttribute(e)!==String(n)&&r.setAttribute(e,n===!0?"":String(
n))}var lr=0;function E(r){return lr+=1,`${r}-${lr}`}function ur(r,t,e){for(let[n,s]of Object.entries(t))typeof s=="function"?r.addEventListener(n.slice(2),s):s!==
null&&s!==!1&&s!==void 0&&r.setAttribute(n,s===!0?"":String(s));for(let n of e)n!=null&&r.append(typeof n=="number"?String(n):n);return r}function W(r,t,e,n){let s=n*Math.sqrt(t+e);return Number.isFinite(s)?dn({value:r,stderr:Math.sqrt(t)},s):{...fn(r),reach:s}}function dn(r,t){let{value:e}=r;return{
...r,reach:t,low:Math.max(0,e-t),high:Math.max(0,e)+t}}function hr(r){return Math.log(r/.05)/Math.log(1/.05)}function cr(r){let t=e=>Math.log((1-e)/e);return t(
.05/r)/t(.05)}function mr(r,t){let e=r.stderr>0?t-(r.high-r.low):0;if(!(e>0))return r;let n=Math.max(r.low-e/2,0);return{...r,low:n,high:Math.max(r.high+e/2,n+t)}}
function fn(r){return{value:r,stderr:null,low:null,high:null,reach:NaN}}var Xs=Array.from({length:10},(r,t)=>new Intl.NumberFormat("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})),to=new Intl.NumberFormat("en-US",{notation:"\
compact",maximumSignificantDigits:3});function v(r,t=0){let e=Xs[t].format(r);return/[1-9]/.test(e)?e:e.replace("-","")}function Y({value:r,stderr:t,low:e,high:n}){
if(e===null)return 0;let s=Math.max(t??0,n===null?0:(n-e)/2/2.12);return s===0?Number.isInteger(r)?0:3:Math.min(9,Math.max(0,1-Math.floor(Math.log10(s))))}function et(r){
return v(r.value,Y(r))}function mt(r){if(r.low===null)return"error unknown";let t=Y(r);return`${v(r.low,t)} to ${v(r.high,t)}`}function pt(r){return r.low===null?
`${et(r)} (error unknown)`:`${et(r)} (95 %: ${mt(r)})`}function ne(r){return to.format(r).replace("K","k")}function re(r,t){if(!(r>0))return[0];let e=r/t,n=10**
Math.floor(Math.log10(e)),s=([1,2,5].find(i=>i*n>=e)??10)*n,o=[];for(let i=0;i*s<=r*1.0001;i+=1)o.push(i*s);return o}function se(r,t){return r.length<=t?r:`${r.
slice(0,Math.max(1,t-1))}…`}var oe=class{constructor(t,e){this.store=t;this.attribute=e;let n=E("bars"),s=e.count,o=Et.filter(i=>tt(e,i,s)?.length);this.options=o.map(i=>p("option",{value:i},
`${i}s`)),this.select=p("select",{id:n,onchange:()=>this.choose(this.select.value)},p("option",{value:""},"automatic"),...this.options),this.element=p("p",{class:"\
chooser",hidden:o.length===0},p("label",{for:n},"Bars",p("span",{class:"unseen"},` of ${e.title}`)),this.select,this.hint)}store;attribute;element;select;options;hint=p(
"span",{class:"note"});draw(){let{axis:t}=this.attribute,e=this.store.grains[t];this.select.value=e?.unit??"";let n=!1;for(let i of this.options)i.disabled=!this.
grainOf(i.value),n||=i.disabled;let s=e?.window,o=s&&`only ${this.attribute.describeRange(...s)}; Clear draws all`;this.hint.textContent=o??(n?"select a shorter\
 range for finer bars":"")}grainOf(t){let{attribute:e,store:n}=this;if(tt(e,t,ie))return{unit:t,window:null};let s=n.grains[e.axis]?.window??eo(n.filters[e.axis],
e.count);return s&&tt(e,t,ie,s)?{unit:t,window:s}:null}choose(t){let{[this.attribute.axis]:e,...n}=this.store.grains,s=t?this.grainOf(t):null;this.store.choose(
"grains",s?{...n,[this.attribute.axis]:s}:n)}};function eo(r,t){let e=r?.filter(([s])=>s<t)??[],n=e[e.length-1];return n?[Math.floor(e[0][0]),Math.min(Math.ceil(
n[1]),t)]:null}var pr=10,ae=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.choose=n;this.ends=["low","high"].map((s,o)=>this.grip(s,o)),this.element=b("g",{class:"\
brushing"},this.area,this.chosen,...this.ends.map(({element:s})=>s)),this.element.addEventListener("pointerdown",s=>this.press(s)),this.element.addEventListener(
"pointermove",s=>this.drag(s));for(let s of["pointerup","pointercancel"])this.element.addEventListener(s,()=>this.release())}attribute;bins;choose;element;tint=b(
"rect",{class:"tint",visibility:"hidden"});range=null;held=null;area=b("rect",{class:"brush-area"});chosen=b("rect",{class:"brush",visibility:"hidden"});ends;x=()=>0;top=0;bottom=0;grip(t,e){
let n=b("line"),s=b("rect",{rx:3,width:6,height:22,x:-3}),o={class:"grip",tabindex:0,role:"slider","aria-label":`${this.attribute.title}, ${t} end of the range`,
onkeydown:i=>this.key(i,e)};return{element:b("g",o,n,s),line:n,handle:s}}place(t,e,n){Object.assign(this,{x:t,top:e,bottom:n});let s=this.bins[this.bins.length-
1][1],o=this.bins[0][0];S(this.area,{x:t(o),width:t(s)-t(o),y:e,height:n-e})}draw(t){this.range=t;let[e,n]=[this.bins[0][0],this.bins[this.bins.length-1][1]],[s,
o]=t??[e,n],[i,a]=[this.x(s),this.x(o)],l={x:i,width:Math.max(1,a-i),y:this.top,height:this.bottom-this.top};for(let u of[this.tint,this.chosen])S(u,{...l,visibility:t?
"visible":"hidden"});this.ends.forEach(({element:u,line:h,handle:c},m)=>{S(u,{transform:`translate(${m===0?i:a} 0)`,class:t?"grip held":"grip","aria-valuemin":e,
"aria-valuemax":n,"aria-valuenow":m===0?s:o,"aria-valuetext":this.say(m===0?s:o,m)}),S(h,{y1:this.top,y2:this.bottom}),S(c,{y:(this.top+this.bottom)/2-11})})}say(t,e){
let n=this.attribute.tickAt(t);return this.attribute.text(e===0?n:n-this.attribute.step)}barAt(t){let e=t.clientX-(this.area.ownerSVGElement?.getBoundingClientRect().
left??0),n=this.bins.findIndex(([,s])=>e<this.x(s));return n<0?this.bins.length-1:n}press(t){if(t.button!==0)return;let{target:e}=t,n=this.ends.findIndex(({element:o})=>e instanceof
Node&&o.contains(e)),s=this.range!==null&&e===this.chosen;this.held={grip:n,bar:this.barAt(t),moved:!1,moving:s,span:this.barsOf(this.range)},this.element.setPointerCapture(
t.pointerId),t.preventDefault()}drag(t){if(!this.held)return;let{grip:e,bar:n,moving:s,span:o}=this.held,i=this.barAt(t);if(!(i===n&&!this.held.moved))if(this.held.
moved=!0,e>=0&&o){let a=e===0?o[1]:o[0];this.chooseBars(Math.min(a,i),Math.max(a,i))}else if(s&&o){let a=Math.max(-o[0],Math.min(this.bins.length-1-o[1],i-n));this.
chooseBars(o[0]+a,o[1]+a)}else this.chooseBars(Math.min(n,i),Math.max(n,i))}release(){let{held:t}=this;if(this.held=null,!t||t.moved||t.grip>=0)return;t.span&&t.
span[0]===t.bar&&t.span[1]===t.bar?this.pick(null):this.chooseBars(t.bar,t.bar)}key(t,e){let n=this.bins.length-1,s=this.barsOf(this.range)??[0,n],o={ArrowLeft:-1,
ArrowDown:-1,ArrowRight:1,ArrowUp:1,PageDown:-pr,PageUp:pr,Home:-n,End:n};if(t.key==="Escape"||t.key==="Delete")this.pick(null);else if(t.key in o){let i=e===0?
[0,s[1]]:[s[0],n];s[e]=Math.max(i[0],Math.min(i[1],s[e]+o[t.key])),this.chooseBars(...s)}else return;t.preventDefault()}barsOf(t){if(!t)return null;let e=this.bins.
findIndex(([,s])=>s>t[0]),n=this.bins.findLastIndex(([s])=>s<t[1]);return[e,n]}chooseBars(t,e){let n=t===0&&e===this.bins.length-1;this.pick(n&&!this.held?null:
[this.bins[t][0],this.bins[e][1]])}pick(t){this.range=t,this.choose(t)}};var kt=150,R={left:44,right:10,top:8,bottom:22},dr=6.6,no=5,ro=[1,2,5,10,20,25,50,100],le=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.starts=e.map(
([s])=>s),this.bars=e.map(()=>b("rect",{class:"column"})),this.brush=new ae(t,e,n),this.picture=b("svg",{class:"histogram",height:kt,role:"group","aria-label":`\
Histogram of ${t.title}`},this.axis,this.brush.tint,b("g",{"aria-hidden":"true"},...this.bars),this.halo,this.band,this.line,this.brush.element),this.picture.addEventListener(
"pointermove",s=>this.tell(s)),this.picture.addEventListener("pointerleave",()=>{this.told.textContent=this.summary}),this.element=p("div",{class:"plot"},this.picture,
this.told)}attribute;bins;element;bars;picture;halo=b("path",{class:"halo"});band=b("path",{class:"band"});line=b("path",{class:"level"});axis=b("g",{class:"axi\
s","aria-hidden":"true"});told=p("p",{class:"told","aria-hidden":"true"});brush;starts;summary="";width=0;top=1;values=null;answers=null;range=null;filtered=!1;resize(){
let t=Math.max(160,Math.floor(this.element.clientWidth));t!==this.width&&(this.width=t,S(this.picture,{width:t,viewBox:`0 0 ${t} ${kt}`}),this.brush.place(e=>this.
x(e),R.top,kt-R.bottom),this.values&&this.paint(this.values))}x(t){let e=Math.max(0,C(this.starts,t)),[n,s]=this.bins[e],o=e+Math.min(1,Math.max(0,(t-n)/(s-n)));
return R.left+o/this.bins.length*(this.width-R.left-R.right)}draw(t,e,n){Object.assign(this,{values:t,range:e,filtered:n,answers:null}),this.width||this.resize(),
this.paint(t)}summarize(t){this.told.textContent===this.summary&&(this.told.textContent=t),this.summary=t}drawErrors(t){this.answers=t,this.values&&this.paint(this.
values)}paint(t){let e=Math.max(...t,0),n=this.answers?Math.max(...this.answers.map(a=>a.high??0)):0;this.top=Math.max(e*1.06,Math.min(n,e*1.6))||1;let s=this.y(
0),o=this.bins.length>60?.5:1;this.bins.forEach(([a,l],u)=>{let h=this.y(Math.max(t[u],0)),c=!this.filtered||this.range&&a<this.range[1]&&l>this.range[0];S(this.
bars[u],{x:this.x(a)+o/2,width:Math.max(.5,this.x(l)-this.x(a)-o),y:h,height:Math.max(0,s-h),class:c?"column":"column out"})}),this.paintBand(),this.paintAxis(),
this.brush.draw(this.range);let i=t.indexOf(e);if(i>=0){let a=T(this.attribute,this.bins[i]);S(this.picture,{"aria-label":`Histogram of ${this.attribute.title};\
 the largest bar is ${a} with ${v(e)}`})}}paintBand(){let t=this.answers?.filter(o=>o.low!==null)??[],e=t.length===this.bins.length,n=(this.width-R.left-R.right)/
this.bins.length>=no;this.picture.classList.toggle("banded",e&&!n);let s=e&&n?this.errorBars(t):null;S(this.halo,{d:s}),S(this.line,{d:e&&!n?this.levelLine():null}),
S(this.band,{d:s??(e?this.steps(t):null),class:n?"band bars":"band"})}errorBars(t){let e=Math.min(4,(this.x(this.bins[0][1])-this.x(this.bins[0][0]))/4);return this.
bins.map(([s,o],i)=>{let a=(this.x(s)+this.x(o))/2,[l,u]=[this.y(t[i].low),this.y(t[i].high)],h=c=>`M${a-e},${c}h${2*e}`;return`M${a},${l}V${u}${h(l)}${h(u)}`}).
join("")}levelLine(){return`M${this.bins.map(([e,n],s)=>{let o=this.y(Math.max(this.values?.[s]??0,0));return`${this.x(e)},${o} ${this.x(n)},${o}`}).join(" ")}`}steps(t){
let e=this.bins.map(([s,o],i)=>`${this.x(s)},${this.y(t[i].high)} ${this.x(o)},${this.y(t[i].high)}`),n=this.bins.map(([s,o],i)=>`${this.x(o)},${this.y(t[i].low)}\
 ${this.x(s)},${this.y(t[i].low)}`);return`M${e.join(" ")} ${n.reverse().join(" ")}Z`}paintAxis(){let t=re(this.top,3).map(e=>b("g",{},b("line",{x1:R.left,x2:this.
width-R.right,y1:this.y(e),y2:this.y(e)}),b("text",{x:R.left-6,y:this.y(e)+4,"text-anchor":"end"},ne(e))));for(let[e,n]of this.marks())t.push(b("text",{x:e,y:kt-
6,"text-anchor":"middle"},n));this.axis.replaceChildren(...t)}marks(){let{attribute:t,bins:e,width:n}=this,s=e.map(m=>It(t,e,m)),o=Math.max(...s.map(m=>m.length))*
dr+10,i=ro.find(m=>m*(this.x(e[0][1])-this.x(e[0][0]))>=o)??e.length,a=e[0][1]-e[0][0],l=t.bins.width&&!t.isCalendar,u=m=>l?t.edge(m)/(t.bins.width??1)/a:NaN,h=e.
findIndex(([m])=>u(m)%i===0),c=[];for(let m=Math.max(h,0);m<e.length;m+=i){let[d,f]=e[m],y=f-d===1&&t.step>0||t.isCalendar?(this.x(d)+this.x(f))/2:this.x(d),x=s[m].
length*dr/2;y-x>=0&&y+x<=n&&c.push([y,s[m]])}return c}tell(t){let e=t.clientX-this.picture.getBoundingClientRect().left,n=this.bins.findIndex(([o,i])=>e>=this.x(
o)&&e<this.x(i));if(n<0||!this.values){this.told.textContent=this.summary;return}let s=this.answers?pt(this.answers[n]):v(this.values[n]);this.told.textContent=
`${T(this.attribute,this.bins[n])}: ${s}`}y(t){let e=kt-R.top-R.bottom;return R.top+e*(1-Math.min(t/this.top,1))}};var so=/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,oo=/^['"`‘’“”\p{Z}\p{C}]*?[=+\-@\u2212\p{Cc}]/u;function fr(r){return!so.test(r)&&oo.test(r.normalize("\
NFKC"))}var io=2;function ue(r,t){let e=(i,a)=>p("button",{type:"button",onclick:()=>{a(),o.open=!1,n.focus()},"aria-label":`${r}: save ${i}`},i),n=p("summary",{"aria-l\
abel":`Save ${r}`},"Save"),s=()=>new XMLSerializer().serializeToString(t.picture()),o=p("details",{class:"menu",onkeydown:i=>i.key==="Escape"&&n.click()},n,p("d\
iv",{},e("SVG",()=>Tt(`${t.name()}.svg`,new Blob([s()],{type:"image/svg+xml"}))),e("PNG",()=>{ao(`${t.name()}.png`,t.picture())}),e("CSV",()=>Tt(`${t.name()}.cs\
v`,new Blob([bn(t.table())],{type:gn})))));return o}var gn="text/csv;charset=utf-8";function Tt(r,t){let e=URL.createObjectURL(t);p("a",{href:e,download:r}).click(),
setTimeout(()=>URL.revokeObjectURL(e),1e3)}async function ao(r,t){let[e,n]=["width","height"].map(i=>io*Number(t.getAttribute(i))),s=new Image;s.src=`data:image\
/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(t))}`,await s.decode();let o=p("canvas",{width:e,height:n});o.getContext("2d")?.
drawImage(s,0,0,e,n),o.toBlob(i=>i&&Tt(r,i),"image/png")}function bn(r){return`${r.map(t=>t.map(lo).join(",")).join(`\r
`)}\r
`}function lo(r){let t=fr(r)?`'${r}`:r;return/[",\r\n]/.test(t)?`"${t.replaceAll('"','""')}"`:t}function he(r){return r.normalize("NFKD").replace(/[^\w]+/g,"-").
replace(/^-+|-+$/g,"").slice(0,60)||"chart"}var uo=24,ce=class{element;lines;top=0;constructor(t,e,n){this.lines=e.map(([i])=>{let a=p("input",{type:"checkbox",onchange:()=>n(this.chosen())}),l=p("span",{
class:"bar-fill"}),u=p("span",{class:"whisker",hidden:!0}),h=p("span",{class:"total"}),c=t.describe(i),m=p("label",{title:c},a,p("span",{class:i>=t.count?"name \
special":"name"},c===""?"(empty)":c),p("span",{class:"track","aria-hidden":"true"},l,u),h);return{code:i,box:a,bar:l,whisker:u,total:h,label:m,item:p("li",{},m)}});
let s=p("ul",{class:"named"},...this.lines.map(({item:i})=>i)),o=p("input",{type:"search",class:"find",placeholder:"Find a name","aria-label":`Find a name of ${t.
title}`,oninput:()=>this.find(o.value)});this.element=e.length>uo?p("div",{},o,s):s}find(t){let e=t.trim().toLowerCase();for(let{label:n,item:s}of this.lines)s.
hidden=!n.title.toLowerCase().includes(e)}chosen(){return this.lines.filter(({box:t})=>t.checked).map(({code:t})=>t)}draw(t,e,n,s){let o=new Set(e);this.top=Math.
max(s,0),this.lines.forEach(({code:i,box:a,bar:l,whisker:u,total:h,label:c},m)=>{a.checked=o.has(i),c.classList.toggle("out",n&&!o.has(i)),l.style.width=`${this.
percent(t[m])}%`,u.hidden=!0,h.textContent=v(t[m])})}drawErrors(t){this.lines.forEach(({whisker:e,total:n},s)=>{let o=t[s];n.title=o?pt(o):"",!(!o||o.low===null)&&
(e.hidden=!1,e.style.left=`${this.percent(o.low)}%`,e.style.width=`${this.percent(o.high)-this.percent(o.low)}%`)})}percent(t){return this.top>0?Math.min(100,Math.
max(0,100*t/this.top/1.08)):0}};var $=class{element=p("p",{class:"note unmeasured",hidden:!0});draw(t){this.element.hidden=t==="",this.element.textContent=t}};function me(r){return p("small",{
class:"tag",title:r},"never measured together")}var ho="fill fill-opacity stroke stroke-width stroke-opacity opacity font-size visibility".split(" "),co="system-ui, sans-serif",pe=20,Ot=170,mo=26,de=12;function fe(r,t,e){
let[n,s]=["width","height"].map(l=>Number(r.getAttribute(l))),o=po(r);for(let[l,u]of Object.entries({x:de,y:44,width:n,height:s}))o.setAttribute(l,`${u}`);let i=nt(
"--ink"),a={width:n+2*de,height:s+56+18*e.length};return b("svg",{xmlns:"http://www.w3.org/2000/svg",...a,"font-family":co,"font-size":12},b("rect",{...a,fill:nt(
"--paper")}),b("text",{x:de,y:28,"font-size":16,"font-weight":600,fill:i},t),o,...e.map((l,u)=>b("text",{x:de,y:s+60+18*u,fill:nt("--quiet")},l)))}function gr(r,t,e){
let s=Math.max(1e-9,...Array.from(t),...e.map(({high:a})=>a??0)),o=a=>Ot+Math.max(a,0)/s*(640-Ot-90),i=r.flatMap((a,l)=>{let u=l*pe,{low:h,high:c}=e[l]??{low:null,
high:null},m=(y,x,I={})=>b("text",{x:y,y:u+14,fill:nt("--ink"),"font-size":12,...I},x),d=u+pe/2,f=h===null?"":[h,c].map(y=>`M${o(y)} ${d-4}v8`).join(""),w=h===null?
"":`M${o(h)} ${d}H${o(c)}${f}`;return[m(Ot-8,se(a,mo),{"text-anchor":"end"}),b("rect",{x:Ot,y:u+3,width:o(t[l])-Ot,height:pe-6,fill:nt("--fill")}),b("path",{d:w,
fill:"none",stroke:nt("--paper"),"stroke-width":3.5}),b("path",{d:w,fill:"none",stroke:nt("--band"),"stroke-width":1.5}),m(Math.max(o(t[l]),o(c??0))+8,v(t[l]))]});
return b("svg",{width:640,height:r.length*pe+4},...i)}function nt(r){return getComputedStyle(document.documentElement).getPropertyValue(r).trim()}function po(r){
let t=r.cloneNode(!0);if(!r.isConnected)return t;let[e,n]=[r,t].map(s=>[s,...s.querySelectorAll("*")]);return e.forEach((s,o)=>{let i=getComputedStyle(s);for(let a of ho)
n[o].setAttribute(a,i.getPropertyValue(a));for(let a of["class","tabindex","role","aria-label","aria-labelledby","aria-describedby"])n[o].removeAttribute(a)}),t}function ge(r,t,e){let n=p("tbody",{role:"rowgroup"},...e);return Ct(r,p("tr",{role:"row"},...t),n)}function Ct(r,t,e){return p("div",{class:"scroll",tabindex:0,
role:"region","aria-label":r},p("table",{role:"table"},p("caption",{class:"unseen"},r),p("thead",{role:"rowgroup"},t),e))}function Q(...r){return p("tr",{role:"\
row"},...r)}function z(r,...t){return p("th",{scope:"col",role:"columnheader",...r},...t)}function N(r,t,...e){return p(r,{...r==="th"?{scope:"row",role:"rowhea\
der"}:{role:"cell"},...t},...e)}function wr(r,t){let e=t.measure==="COUNT(*)",n=c=>e?`${c} rows`:`${t.measure} is ${c}`,s=c=>c[0].toUpperCase()+c.slice(1),{value:o,low:i,high:a}=r;if(i===null)
return`${s(n(`about ${v(o)}`))}; the error is unknown`;if(a-i<1)return s(n(e?v(o):v(o,2)));let l=10**Math.max(0,Math.round(Math.log10((a-i)/2))),u=Math.round(o/
l)*l;if(i<=0)return s(n(`between 0 and ${v(br(a))}`));let h=br(Math.max(a-u,u-i));return`${s(n(`about ${v(u)}`))}, give or take ${v(h)}`}function br(r){let t=10**
Math.max(0,Math.floor(Math.log10(r))-1);return Math.ceil(r/t-1e-9)*t}function D(r,t,e=[]){if(r.note(t,e)==="")return"";let n=t.flatMap(o=>Object.keys(o).map(Number)),
s=[...new Set([...n,...e])].sort((o,i)=>o-i);return fo(s.map(o=>r.attributes[o].title))}function fo(r){let t=go(r),e="the numbers assume that they are independe\
nt.";return r.length===2?`${t} were never measured together: ${e}`:`No two of ${t} were measured together: ${e}`}function go(r){return r.length<2?r.join(""):`${r.
slice(0,-1).join(", ")} and ${r[r.length-1]}`}function dt(r,t){let e=Object.entries(t).map(([n,s])=>{let o=r.attributes[Number(n)];return`${o.title} ${o.describeIntervals(
s)}`});return e.length?e.join("; "):"all rows"}var be=class{constructor(t){this.store=t;let e=E("quantiles");this.input=p("input",{type:"text",inputmode:"decimal",onchange:()=>this.read()}),this.element=p("s\
ection",{class:"panel",id:"quantiles","aria-labelledby":e},p("header",{},p("h2",{id:e},"Quantiles"),p("label",{class:"chooser"},p("span",{},"Percent below"),this.
input)),this.problem,Ct("Quantiles of what is selected",this.head,this.body),p("p",{class:"note"},"In brackets: the bounds that the 95 % intervals of the totals\
 below and above allow. Missing and other values are left out."),this.foot.element)}store;element;input;problem=p("p",{class:"problem",role:"alert",hidden:!0});head=p(
"tr",{role:"row"});body=p("tbody",{role:"rowgroup"});foot=new $;rows=[];get axes(){let{shown:t,engine:e}=this.store;return t.filter(n=>e.attributes[n].ordered)}draw(){
let{shares:t,engine:e,filters:n}=this.store;this.element.hidden=this.axes.length===0,document.activeElement!==this.input&&(this.input.value=t.map(yr).join(", "));
let s=t.map(i=>`${yr(i)} %`);this.head.replaceChildren(z({class:"left"},"attribute"),...s.map(i=>z({},i)));let o=this.axes.map(i=>D(e,[n],[i]));this.foot.draw(o.
filter(Boolean).join(" ")),this.rows=this.axes.map((i,a)=>{let{title:l,unit:u}=e.attributes[i],h=N("th",{class:"left"},u?`${l} (${u})`:l);return o[a]&&h.append(
me(o[a])),Q(h,...s.map(c=>N("td",{"data-label":c},"…")))}),this.body.replaceChildren(...this.rows)}*fill(){let{shares:t,engine:e,filters:n}=this.store,{axes:s,
rows:o}=this;for(let[i,a]of s.entries()){let l=e.attributes[a];Kt(e,a,t,n).forEach((u,h)=>{o[i].children[h+1].textContent=u===null?"–":$t(l,u)}),yield}for(let[
i,a]of s.entries()){let l=e.attributes[a],u=this.store.engineFor(t.length*s.length);(yield*Wt(u,a,t,n)).forEach((c,m)=>{c&&o[i].children[m+1].append(p("small",{},
bo(l,c)))})}}read(){let t=this.input.value.split(/[\s,;%]+/).filter(Boolean).map(n=>Number(n)/100),e=t.length>0&&t.length<=20&&t.every(n=>n>=0&&n<=1);this.problem.
hidden=e,this.problem.textContent=e?"":"give percentages from 0 to 100, such as 25, 50, 75",e&&this.store.choose("shares",t)}};function $t(r,t){if(r.isCalendar)
return r.brief(t);let e=(r.edge(r.count)-r.edge(0))/1e3,n=Math.max(0,Math.min(6,-Math.floor(Math.log10(e))));return t.toLocaleString("en-US",{maximumFractionDigits:n,
useGrouping:!1})}function bo(r,{low:t,high:e}){return t===null||e===null?"":` (${$t(r,t)} to ${$t(r,e)})`}function yr(r){return Number((r*100).toFixed(6))}var wo={integer:"number",number:"number",date:"date",timestamp:"text"},we=class{constructor(t,e){this.attribute=t;this.choose=e;let n=o=>p("input",{type:wo[t.type],
step:t.type==="number"?"any":null,"aria-label":`${t.title} ${o}`,onchange:()=>this.read()});this.low=n("from"),this.high=n("to"),this.element=p("div",{class:"en\
ds"},this.low,p("span",{"aria-hidden":"true"},"to"),this.high,this.problem);let s=[t.text(t.edge(0)),t.text(t.edge(t.count)-t.step)];[this.low.placeholder,this.
high.placeholder]=s}attribute;choose;element;low;high;problem=p("p",{class:"problem",role:"alert",hidden:!0});draw(t){let{attribute:e}=this;this.low.value=t?e.text(
e.tickAt(t[0])):"",this.high.value=t?e.text(e.tickAt(t[1])-e.step):"",this.problem.hidden=!0}read(){let[t,e]=[this.low,this.high].map(n=>n.value.trim()===""?null:
n.value);try{if(this.problem.hidden=!0,t===null&&e===null)this.choose(null);else{let[n]=it(this.attribute,t,e);if(!n)throw new g(`${this.attribute.name}: no val\
ue lies in that range`);this.choose(n)}}catch(n){if(!(n instanceof g))throw n;this.problem.textContent=n.message,this.problem.hidden=!1}}};var yo=100,ie=400,wn=1e3,ye=class{constructor(t,e){this.store=t;this.attribute=e;let n=E("card"),{axis:s,title:o,unit:i,description:a}=e;this.clear=p("button",{
type:"button",class:"quiet",onclick:()=>t.filter(s,null)},"Clear"),this.grain=e.isCalendar?new oe(t,e):null,this.inputs=e.ordered?new we(e,h=>this.choose(h,this.
ticked())):null;let l=ue(o,{name:()=>he(o),picture:()=>this.picture(),table:()=>this.table()}),u=p("h3",{id:n},o,i?p("small",{},i):null);this.element=p("section",
{class:"card","aria-labelledby":n},p("header",{},u,p("span",{class:"acts"},this.clear,l)),a?p("p",{class:"note"},a):null,this.grain?.element,this.note.element,this.
body),this.arrange()}store;attribute;element;bins=[];values=new Float64Array(0);answers=[];regular=[];clear;note=new $;grain;body=p("div",{});inputs;histogram=null;named=null;arrange(){
let{attribute:t,store:e}=this,n=ht(e,t,t.ordered?yo:wn,ie);if(String(n)===String(this.bins))return;this.bins=n,this.regular=n.filter(([u])=>u<t.count);let s=n.slice(
this.namedFrom);this.histogram=t.ordered?new le(t,this.regular,u=>this.choose(u,this.ticked())):null,this.named=s.length?new ce(t,s,u=>this.choose(this.range(),
u)):null;let o=!t.ordered&&t.count>wn,[i,a]=[wn,t.count].map(u=>v(u)),l=[this.histogram?.element,this.inputs?.element,this.named?.element,o?p("p",{class:"note"},
`The ${i} largest of ${a} names; ask for others in SQL.`):null];this.body.replaceChildren(...l.filter(u=>u instanceof HTMLElement))}draw(t){let{engine:e,filters:n}=this.
store;this.values=t,this.answers=[];let s=this.attribute.axis in n;this.element.classList.toggle("filtered",s),this.clear.hidden=!s,this.note.draw(D(e,[n],[this.
attribute.axis])),this.grain?.draw(),this.histogram?.draw(t.subarray(0,this.regular.length),this.range(),s),this.inputs?.draw(this.range()),this.named?.draw(t.subarray(
this.namedFrom),this.ticked(),s,Math.max(...t))}drawErrors(t,e){this.answers=t;let n=e.flatMap(a=>a===null?[]:[$t(this.attribute,a)]),[s,o,i]=n;this.histogram?.
summarize(n.length?`median ${o}, interquartile range ${s} to ${i}`:""),this.histogram?.drawErrors(t.slice(0,this.regular.length)),this.named?.drawErrors(t.slice(
this.namedFrom))}resize(){this.histogram?.resize()}picture(){let{engine:t,filters:e}=this.store,{title:n,unit:s,axis:o}=this.attribute,i=Math.min(this.bins.length,
60),a=this.bins.slice(0,i).map(c=>T(this.attribute,c)),l=this.histogram?.picture??gr(a,this.values,this.answers),{[o]:u,...h}=e;return fe(l,s?`${n} (${s})`:n,[`${t.
facts.title}: ${t.facts.measure} with 95 % intervals`,dt(t,h)])}table(){let t=this.bins.map((e,n)=>{let{low:s,high:o}=this.answers[n]??{low:null,high:null};return[
T(this.attribute,e),String(this.values[n]),String(s??""),String(o??"")]});return[[this.attribute.title,this.store.engine.facts.measure,"low","high"],...t]}get namedFrom(){
return this.attribute.ordered?this.regular.length:0}range(){let t=this.store.filters[this.attribute.axis];if(!t||!this.attribute.ordered)return null;let e=t.filter(
([n])=>n<this.attribute.count);return e.length===0?null:[e[0][0],Math.min(e[e.length-1][1],this.attribute.count)]}ticked(){let t=this.store.filters[this.attribute.
axis]??[];return(this.attribute.ordered?this.attribute.special:this.bins.map(([n])=>n)).filter(n=>t.some(([s,o])=>s<=n&&n<o))}choose(t,e){let n=e.map(s=>[s,s+1]);
t&&t[0]<t[1]&&n.unshift(t),this.store.filter(this.attribute.axis,n.length?O(n):null)}};function vr(r,t,e,n){let s=n==="COUNT(*)",[o,i,a]=s?["more","fewer","rows"]:["a larger","a smaller",n],{value:l,low:u,high:h}=r,c=`Cannot tell whether ${t} or ${e}\
 has ${o} ${a}`;if(l===null||u===null||h===null)return`${c}: the error is unknown.`;let m=x=>v(x,Y(r));if(u===0&&h===0)return`${t} and ${e} are the same.`;if(u<=
0&&h>=0)return`${c}: the difference is ${m(u)} to ${m(h)} (95 %).`;let d=u>0?o:i,[f,w]=u>0?[u,h]:[-h,-u],y=s?`${m(Math.abs(l))} ${d}`:`by ${m(Math.abs(l))}`;return`${t}\
 has ${d} ${a} than ${e}: ${y} (${m(f)} to ${m(w)}, 95 %).`}var xr=["A","B"],ve=class{constructor(t){this.store=t;let e=E("compare"),n=o=>p("button",{type:"button",onclick:()=>this.take(o)},`Use the selection as ${xr[o]}`),
s=p("button",{type:"button",class:"quiet",onclick:()=>this.swap()},"Swap");this.element=p("section",{class:"panel compare","aria-labelledby":e},p("header",{},p(
"h2",{id:e},"Compare two selections")),this.verdict,this.place,this.note.element,p("p",{class:"acts"},n(0),n(1),s),p("p",{class:"note"},"Select with the charts,\
 take the selection as A, select something else, take it as B."))}store;element;verdict=p("p",{class:"verdict",role:"status"});place=p("div",{});note=new $;take(t){
let e=[...this.store.compared];e[t]=this.store.filters,this.store.choose("compared",e)}swap(){let[t,e]=this.store.compared;this.store.choose("compared",[e,t])}draw(){
let{engine:t,compared:e}=this.store,n=e.map(f=>dt(t,f)),s=_t(t,[e[0]],[e[1]]);this.verdict.textContent=vr(s,n[0],n[1],t.facts.measure);let o=(f,w,y,x)=>Q(N("th",
{class:"left"},f),N("td",{class:"left wraps","data-label":"selection"},w),N("td",{"data-label":t.facts.measure},y),N("td",{"data-label":"95 % interval"},x)),i=e.
map((f,w)=>{let y=t.answer(f);return o(xr[w],n[w],et(y),mt(y))}),{value:a,low:l,high:u}=s,h=f=>v(f??0,Y(s)),c=l===null||u===null?"error unknown":`${h(l)} to ${h(
u)}`;i.push(o("A − B","difference",h(a),c));let d=["","selection",t.facts.measure,"95 % interval"].map((f,w)=>z({class:w<2?"left":null},f||p("span",{class:"un\
seen"},"side")));this.place.replaceChildren(ge("Two selections compared",d,i)),this.note.draw(e.map(f=>D(t,[f])).find(Boolean)??"")}};var xe=class{constructor(t){this.store=t;this.clear=p("button",{type:"button",class:"quiet",onclick:()=>t.clear()},"Clear all"),this.link=p("button",{type:"butt\
on",class:"quiet",onclick:()=>this.copy()},"Copy link");let e=p("span",{class:"measure"},t.engine.facts.measure);this.element=p("section",{class:"bar","aria-lab\
el":"Selected"},p("div",{class:"bar-in"},p("div",{},this.words,p("p",{class:"figure"},e,this.value,this.range,this.part)),p("div",{class:"filters"},this.chips,p(
"span",{class:"acts"},this.clear,this.link))),this.note.element,this.spoken)}store;element;words=p("p",{class:"count",id:"words"});value=p("strong",{id:"count"});range=p(
"span",{class:"range",id:"range"});note=new $;part=p("span",{class:"part"});spoken=p("p",{class:"unseen",role:"status","aria-live":"polite"});chips=p("ul",{class:"\
chips","aria-label":"Filters"});clear;link;timer=0;draw(t,e){let{engine:n,filters:s}=this.store,o=t.low!==null;this.words.textContent=wr(t,n.facts),this.value.textContent=
et(t),this.range.textContent=o?`95 % interval ${mt(t)}`:"error unknown";let i=D(n,[s]);this.note.draw(i);let a=e.value>0?100*t.value/e.value:0,l=Object.keys(s).
length>0;this.part.textContent=l&&e.value>0?`${v(a,a<10?1:0)} % of all`:"",this.clear.hidden=!l,this.chips.replaceChildren(...this.chipsOf()),clearTimeout(this.
timer),this.timer=window.setTimeout(()=>{let u=o?`between ${mt(t)}`:"error unknown";this.spoken.textContent=[`${et(t)} selected, ${u}`,i].filter(Boolean).join("\
; ")},400)}chipsOf(){let{engine:t,filters:e}=this.store,n=Object.entries(e).map(([s,o])=>{let i=t.attributes[Number(s)],a=i.describeIntervals(o),l={type:"button",
onclick:()=>this.store.filter(Number(s),null)};return p("li",{},p("span",{class:"chip-name"},i.title),` ${a} `,p("button",{...l,"aria-label":`Remove the filter \
on ${i.title}`},"×"))});return n.length?n:[p("li",{class:"none"},"Drag over a chart or tick a name.")]}async copy(){try{await navigator.clipboard.writeText(location.
href),this.link.textContent="Copied"}catch{this.link.textContent="Copy it from the address bar"}setTimeout(()=>{this.link.textContent="Copy link"},2e3)}};function Rt(r,t,e,{none:n=null,only:s=()=>!0}={}){let o=r.engine.attributes.filter(s).map(l=>p("option",{value:l.axis},l.title));n!==null&&o.unshift(p("option",
{value:""},n));let i=E("choose"),a=p("select",{id:i,onchange:()=>e(a.value===""?null:Number(a.value))},...o);return{element:p("span",{class:"chooser"},p("label",
{for:i},t),a),draw(l){a.value=String(l??"")}}}var Ar=50,ft=class{constructor(t,e,n){this.scheduler=t;this.kind=e;this.more=p("button",{type:"button",class:"quiet",onclick:()=>this.showMore()},"Show more"),this.
save=p("button",{type:"button",onclick:()=>this.download()},"Download CSV"),this.element=p("div",{class:"result"},Ct(n,this.head,this.body),this.foot.element,p(
"p",{class:"acts"},this.save,this.more,this.note)),this.element.hidden=!0}scheduler;kind;element;body=p("tbody",{role:"rowgroup"});head=p("tr",{role:"row"});more;save;note=p(
"span",{class:"note"});foot=new $;rows=[];titles=[];sorted=null;shown=Ar;show({columns:t,rows:e}){Object.assign(this,{rows:e,sorted:null,shown:Ar}),this.element.
hidden=!1;let n=t.filter(Mr).length===1;this.titles=t.flatMap(s=>Mr(s)?vo(s,n):[s]),this.head.replaceChildren(...this.titles.map(s=>z({class:"text"in s?"left":null},
p("button",{type:"button",onclick:()=>this.sort(s)},s.name)))),this.fill()}sort(t){let e=this.sorted?.title===t?!this.sorted.down:!("text"in t);this.sorted={title:t,
down:e};let n=e?-1:1;this.rows.sort((s,o)=>n*(t.key(s)-t.key(o))),[...this.head.children].forEach((s,o)=>{this.titles[o]===t?s.setAttribute("aria-sort",e?"desce\
nding":"ascending"):s.removeAttribute("aria-sort")}),this.fill()}showMore(){this.shown*=4,this.fill()}fill(){let t=this.rows.slice(0,this.shown),e=t.map(s=>Q(...this.
titles.map(o=>xo(s,o))));this.body.replaceChildren(...e),this.foot.draw(""),this.more.hidden=this.rows.length<=this.shown;let n=this.rows.length===1?"row":"rows";
this.note.textContent=this.more.hidden?`${v(this.rows.length)} ${n}`:`${v(t.length)} of ${v(this.rows.length)} ${n}`,this.scheduler.start(this.kind,this.errors(
t,e),0)}*errors(t,e){let n=new Map;for(let o=0;o<t.length;o+=1){for(let i=0;i<this.titles.length;i+=1){let a=this.titles[i];if("text"in a)continue;let{of:l,end:u}=a,
h=yield*l.figure(t[o]),c=e[o].children[i];c.textContent=Ao(h,u,l.digits),h.note&&n.set(e[o],h.note)}yield}let[s]=n.values();if(this.foot.draw(s?Mo(s):""),n.size!==
e.length)for(let[o,i]of n)o.firstElementChild?.append(me(i))}csv(){let t=[this.titles.map(({name:e})=>e)];for(let e of this.rows){let n=s=>"text"in s?s.text(e):
String(_(s.of.figure(e))[s.end]??"");t.push(this.titles.map(n))}return bn(t)}download(){Tt(`${this.kind}.csv`,new Blob([this.csv()],{type:gn}))}};function vo(r,t){
let e=(s,o)=>({name:o,of:r,end:s,key:i=>_(r.figure(i))[s]??-1/0}),n=["low","high"].map(s=>e(s,t?s:`${r.name} ${s}`));return[{...e("value",r.name),key:s=>r.value(
s)??-1/0},...n]}function Mr(r){return"figure"in r}function xo(r,t){if("text"in t)return N("th",{class:"left"},t.text(r)||"(empty)");let e=t.end==="value"&&t.of.
digits===0?t.of.value(r):null;return N("td",{"data-label":t.name},e===null?"…":v(e))}function Ao(r,t,e){let n=r[t];return n===null?t==="high"&&r.low!==null?"n\
o limit":r.value===null&&r.low===null?"none":"unknown":v(n,r.low===null?e:Y(r))}function Mo(r){return`${r[0].toUpperCase()}${r.slice(1)}.`}var So=100,Eo=1e3,Sr=["Group by","and by","and by"],Ae=class{constructor(t,e){this.store=t;let n=E("groups");this.choosers=Sr.map((s,o)=>Rt(t,s,i=>this.choose(o,
i),{none:o?"–":null})),this.table=new ft(e,"groups","Totals by group"),this.element=p("section",{class:"panel","aria-labelledby":n},p("header",{},p("h2",{id:n},
"Table"),...this.choosers.map(({element:s})=>s)),this.problem,this.table.element)}store;element;choosers;table;problem=p("p",{class:"problem",role:"alert",hidden:!0});choose(t,e){
let n=[...this.store.group];e===null?n.splice(t,1):n[Math.min(t,n.length)]=e,this.store.choose("group",[...new Set(n)].slice(0,Sr.length))}draw(){let{engine:t,filters:e,
group:n}=this.store;this.choosers.forEach(({element:s,draw:o},i)=>{s.hidden=i>n.length||i>=t.attributes.length,o(n[i])});try{this.problem.hidden=!0;let s=n.map(
u=>this.binsOf(t.attributes[u])),o=Dt(t,[e],n,s);for(let u of o)u.labels=u.bins.map((h,c)=>T(t.attributes[n[c]],h));let i=new ut(this.store.engineFor(o.length),
[e],n.map(u=>t.attributes[u])),a={name:t.facts.measure,digits:0,value:u=>u.value,figure:u=>at(()=>i.answer(u))},l=n.map((u,h)=>mn(t.attributes[u].title,h));this.
table.show({columns:[...l,a],rows:o})}catch(s){if(!(s instanceof g))throw s;this.problem.textContent=s.message,this.problem.hidden=!1,this.table.element.hidden=
!0}}binsOf(t){return t.ordered?ht(this.store,t,So,Eo):t.displayBins(1/0)}};var Io={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]},Me=class{constructor(t,e){this.map=t;this.store=t.store,this.told=p("p",{class:"told",
id:e,"aria-live":"polite"});let{picture:n}=t;n.append(this.cursor),n.addEventListener("keydown",s=>this.key(s)),n.addEventListener("pointerdown",s=>this.press(s)),
n.addEventListener("pointermove",s=>this.move(s)),n.addEventListener("pointerup",()=>this.release()),n.addEventListener("pointercancel",()=>{this.held=null});for(let s of[
"pointerleave","blur"])n.addEventListener(s,()=>this.say(null))}map;told;store;cursor=b("rect",{class:"cursor",visibility:"hidden"});place=[0,0];held=null;dragged=!1;press(t){
t.button===0&&(this.held=this.map.cellAt(t),t.pointerType==="mouse"&&this.map.picture.setPointerCapture(t.pointerId))}move(t){this.say(this.map.cellAt(t)),!(!this.
held||String(this.held)===String(this.place))&&(this.dragged=!0,this.keep(this.held,this.place))}release(){this.held&&!this.dragged&&this.toggle(this.held),this.
held=null,this.dragged=!1}key(t){let e=Io[t.key];if(e)this.say([this.place[0]+e[0],this.place[1]+e[1]]);else if(t.key==="Enter"||t.key===" ")this.toggle(this.map.
nearest(this.place));else if(t.key==="Escape")this.keepNothing();else return;t.preventDefault()}toggle(t){let{filters:e}=this.store;this.map.axes.every((s,o)=>String(
e[s])===String(this.map.bins[o][t[o]]))?this.keepNothing():this.keep(t,t)}keep(t,e){this.map.axes.forEach((n,s)=>{let[o,i]=[t[s],e[s]].sort((a,l)=>a-l);this.store.
filter(n,O(this.map.bins[s].slice(o,i+1)))})}keepNothing(){for(let t of this.map.axes)this.store.filter(t,null)}say(t){S(this.cursor,{visibility:t?"visible":"hi\
dden"}),this.told.textContent=t?this.words(this.map.nearest(t)):""}words(t){let{bins:e,cell:n,attributes:s}=this.map;this.place=t;let[o,i]=this.map.corner(...t);
return S(this.cursor,{x:o,y:i,width:n[0],height:n[1]}),`${s.map((l,u)=>`${l.title} ${T(l,e[u][t[u]])}`).join(", ")}: ${pt(this.map.answerAt(t))}`}};var gt=class{constructor(t,e,n){this.store=t;this.name=e;this.edge=n;let s=E("map"),o={tabindex:0,role:"application","aria-labelledby":s,"aria-describedby":`${s}\
-told`};this.picture=b("svg",{class:"map",...o},this.axis,this.cells,this.marks,this.frame);let i=new Me(this,`${s}-told`);this.plot.append(this.picture);let a=ue(
e,{name:()=>he(this.title),picture:()=>this.savedPicture(),table:()=>this.table()});this.header.append(p("h2",{id:s},e),a),this.element=p("section",{class:"pane\
l","aria-labelledby":s},this.header,this.note.element,this.plot,i.told,this.legend)}store;name;edge;element;picture;bins=[[],[]];cell=[0,0];values=new Float64Array(
0);answers=null;width=0;height=0;axis=b("g",{class:"axis","aria-hidden":"true"});header=p("header",{});legend=p("p",{class:"legend"});note=new $;cells=b("g",{"a\
ria-hidden":"true"});marks=b("g",{class:"marks","aria-hidden":"true"});frame=b("path",{class:"map-brush"});plot=p("div",{class:"plot"});get attributes(){return this.
axes.map(t=>this.store.engine.attributes[t])}get title(){let[t,e]=this.attributes;return`${t.title} by ${e.title}`}compute(){return this.bins=this.binsNow(),this.
store.engine.grid(this.axes,this.bins,this.store.filters)}draw(t){this.values=t,this.answers=null,this.note.draw(D(this.store.engine,[this.store.filters],this.axes)),
this.width||(this.width=this.room()),this.paint()}resize(){let t=this.room();!this.values.length||t===this.width||(this.width=t,this.paint(),this.answers&&this.
drawErrors(this.answers))}answerAt([t,e]){let{engine:n,filters:s}=this.store,o=t*this.bins[1].length+e;return this.answers?this.answers[o]:this.store.engineFor(
this.values.length).answer(n.narrowed(s,this.axes,[this.bins[0][t],this.bins[1][e]]),this.values[o])}drawErrors(t){this.answers=t}room(){return Math.max(240,Math.
floor(this.plot.clientWidth))}paint(){let[t,e]=this.bins.map(i=>i.length);this.cell=this.cellSize(this.width),this.height=this.edge.top+this.edge.bottom+this.cell[1]*
e,S(this.picture,{width:this.width,height:this.height,viewBox:`0 0 ${this.width} ${this.height}`});let n=Math.max(...this.values,0),s=Math.min(...this.cell)>6?.6:
0,o=[];this.values.forEach((i,a)=>{let l=n>0?Math.sqrt(Math.max(i,0)/n):0;if(l<.004)return;let[u,h]=this.corner(Math.floor(a/e),a%e),c={width:Math.max(.5,this.cell[0]-
s),height:this.cell[1]-s};o.push(b("rect",{class:"cell",x:u,y:h,...c,"fill-opacity":l.toFixed(3)}))}),this.cells.replaceChildren(...o),this.marks.replaceChildren(),
this.paintAxes(),this.paintFrame(),S(this.picture,{"data-cells":t*e}),this.legend.replaceChildren(p("span",{class:"ramp","aria-hidden":"true"}),`0 to ${ne(n)} a\
 cell, shaded by the square root`)}paintFrame(){let t=this.axes.some(o=>o in this.store.filters),[e,n]=t?this.axes.map((o,i)=>this.runs(o,i)):[[],[]],s=e.flatMap(
([o,i])=>n.map(([a,l])=>{let[u,h]=this.corner(o,l),[c,m]=[(i-o+1)*this.cell[0],(l-a+1)*this.cell[1]];return`M${u},${h}h${c}v${m}h${-c}Z`}));S(this.frame,{d:s.length?
s.join(""):null})}runs(t,e){let n=this.store.filters[t]??[[0,1/0]],s=[];return this.bins[e].forEach((o,i)=>{if(!n.some(([l,u])=>l<o[1]&&u>o[0]))return;let a=s[s.
length-1];a?.[1]===i-1?a[1]=i:s.push([i,i])}),s}cellAt(t){let e=this.picture.getBoundingClientRect(),n=Math.floor((t.clientX-e.left-this.edge.left)/this.cell[0]),
s=this.bins[1].length-1-Math.floor((t.clientY-e.top-this.edge.top)/this.cell[1]);return this.nearest([n,s])}nearest([t,e]){let n=(s,o)=>Math.max(0,Math.min(this.
bins[o].length-1,s));return[n(t,0),n(e,1)]}corner(t,e){return[this.edge.left+t*this.cell[0],this.edge.top+(this.bins[1].length-1-e)*this.cell[1]]}savedPicture(){
let{engine:t,filters:e}=this.store,n=Object.fromEntries(Object.entries(e).filter(([s])=>!this.axes.includes(Number(s))));return fe(this.picture,this.title,[`${t.
facts.title}: ${t.facts.measure}; ${this.legend.textContent}`,dt(t,n),...[this.note.element.textContent??""].filter(Boolean)])}table(){let[t,e]=this.attributes,
n=this.bins[0].flatMap((s,o)=>this.bins[1].map((i,a)=>{let{value:l,low:u,high:h}=this.answerAt([o,a]);return[T(t,s),T(e,i),String(l),String(u??""),String(h??"")]}));
return[[t.title,e.title,this.store.engine.facts.measure,"low","high"],...n]}};var ko=32,To=64,Oo=60,bt={left:92,right:8,top:6,bottom:34},Se=class extends gt{across;up;constructor(t){super(t,"Heat map",bt),this.across=Rt(t,"Across",e=>this.
turn(e??0,t.map[1])),this.up=Rt(t,"Up",e=>this.turn(t.map[0],e??0)),this.header.append(this.across.element,this.up.element)}get axes(){return this.store.map}turn(t,e){
let[n,s]=this.store.map;this.store.choose("map",t===e?[s,n]:[t,e])}binsNow(){return this.attributes.map((t,e)=>{let n=ht(this.store,t,t.ordered?ko:Oo,To);return e===
1&&!t.ordered?n.reverse():n})}cellSize(t){let[e,n]=this.bins.map(s=>s.length);return[(t-bt.left-bt.right)/e,Math.max(9,Math.min(26,420/n))]}draw(t){this.across.
draw(this.store.map[0]),this.up.draw(this.store.map[1]),super.draw(t)}drawErrors(t){super.drawErrors(t);let e=this.bins[1].length,n=[];t.forEach((o,i)=>{if(o.low===
null||o.value<1||o.high-o.low<o.value)return;let[a,l]=this.corner(Math.floor(i/e),i%e);n.push(b("circle",{cx:a+this.cell[0]/2,cy:l+this.cell[1]/2,r:1.3}))}),this.
marks.replaceChildren(...n);let s=t.some(o=>o.low===null);this.legend.append(s?"; errors are unknown":"; a dot: the error is more than half the total")}paintAxes(){
let[t,e]=this.attributes,[n,s]=this.bins,o=[],i=(c,m,d,f,w)=>b("text",w,se(It(c,this.bins[m],d),f),b("title",{},T(c,d))),a=0;n.forEach((c,m)=>{let d=this.corner(
m,0)[0]+this.cell[0]/2,f=Math.min(It(t,n,c).length,10)*3.3;d-f<a||d+f>this.width||(o.push(i(t,0,c,10,{x:d,y:this.height-bt.bottom+14,"text-anchor":"middle"})),a=
d+f+8)});let l=Math.ceil(13/this.cell[1]),u=-1/0;for(let c=s.length-1;c>=0;c-=1){let m=s[c],d=this.corner(0,c)[1]+this.cell[1]/2+4;c%l&&m[0]<e.count||d-u<11.5||
(o.push(i(e,1,m,13,{x:bt.left-6,y:d,"text-anchor":"end"})),u=d)}let h={x:(bt.left+this.width)/2,y:this.height-4,"text-anchor":"middle"};o.push(b("text",{...h,class:"\
axis-name"},t.title)),this.axis.replaceChildren(...o)}};function Er(){let r=(...o)=>b("svg",{width:22,height:16,viewBox:"0 0 22 16","aria-hidden":"true"},...o),t=b("rect",{class:"column",x:6,y:2,width:10,height:14}),
e=b("rect",{class:"column out",x:6,y:2,width:10,height:14}),n=b("path",{class:"band bars",d:"M11,2V14M7,2h8M7,14h8"}),s=[[r(t),"estimate"],[r(n),"95 % interval:\
 it holds the true number in 95 of 100 cases"],[r(e),"not selected"]];return p("ul",{class:"key","aria-label":"Legend of the charts"},...s.map(o=>p("li",{},...o)))}var Co=12,Ee=class{constructor(t){this.store=t;let{attributes:e}=t.engine;this.boxes=e.map(({axis:s})=>p("input",{type:"checkbox",onchange:()=>this.toggle(s,this.
boxes[s].checked)})),this.items=e.map((s,o)=>p("li",{},p("label",{},this.boxes[o],p("span",{},s.title),p("small",{},`${v(s.size)} ${s.size===1?"value":"values"}`))));
let n=p("input",{type:"search",placeholder:"Find an attribute","aria-label":"Find an attribute",oninput:()=>this.find(n.value)});this.element=p("details",{class:"\
picker"},this.summary,e.length>Co?n:null,p("ul",{},...this.items))}store;element;boxes;items;summary=p("summary",{});draw(){let{shown:t,engine:e}=this.store;this.
summary.textContent=`Attributes: ${t.length} of ${e.attributes.length} shown`,this.boxes.forEach((n,s)=>{n.checked=t.includes(s)})}toggle(t,e){let n=this.store.
shown.filter(s=>s!==t);this.store.choose("shown",e?[...n,t].sort((s,o)=>s-o):n)}find(t){let e=t.trim().toLowerCase();this.store.engine.attributes.forEach(({name:n,
title:s},o)=>{this.items[o].hidden=!`${n} ${s}`.toLowerCase().includes(e)})}};var $o=/^(.*?)(latitude|lat)$/,Ro=/^(.*?)(longitude|long|lon|lng)$/;function kr(r){let t=Ir(r,Ro,360);for(let[e,n]of Ir(r,$o,90)){let s=t.get(e);if(s!==void 0)return[s,n]}return null}function Ir(r,t,e){let n=new Map;for(let s of r){
let{type:o,count:i,axis:a}=s;if(!(o!=="number"&&o!=="integer")&&!(i<2||s.edge(0)<-e||s.edge(i)>e+s.step))for(let l of[s.title,s.name]){let u=t.exec(No(l));u&&!n.
has(u[1])&&n.set(u[1],a)}}return n}function No(r){return r.replace(/\(.*\)$/,"").toLowerCase().replace(/[^\p{L}]/gu,"")}function Tr(r){return[111.195*Math.max(.05,
Math.cos(r*Math.PI/180)),111.195]}var Fo=[96,72],Lo=560,L={left:46,right:10,top:6,bottom:24},Bo=.25,Ie=class extends gt{constructor(e,n){super(e,"Map",L);this.axes=n;this.zoom=p("input",{type:"c\
heckbox",onchange:()=>e.choose("zoomed",this.zoom.checked)}),this.header.append(p("label",{class:"chooser"},this.zoom,p("span",{},"Zoom to the selection")))}axes;zoom;get title(){
return`Map by ${this.attributes.map(({title:e})=>e).join(" and ")}`}draw(e){this.zoom.checked=this.store.zoomed,super.draw(e),this.legend.append("; point at a c\
ell for its interval")}binsNow(){return this.attributes.map((e,n)=>{let[s,o]=this.window(e),i=Math.max(1,Math.ceil((o-s)/Fo[n])),a=[];for(let l=s;l<o;l+=i)a.push(
[l,Math.min(l+i,o)]);return a})}window({axis:e,count:n}){let s=this.store.zoomed?this.store.filters[e]?.filter(([i])=>i<n)??[]:[],o=s[s.length-1];return o?[Math.
floor(s[0][0]),Math.min(Math.ceil(o[1]),n)]:[0,n]}ends(e){let n=this.bins[e],s=this.attributes[e];return[s.tickAt(n[0][0]),s.tickAt(n[n.length-1][1])]}get extent(){
let[[e,n],[s,o]]=[this.ends(0),this.ends(1)],[i,a]=Tr((s+o)/2);return[(n-e)*i,(o-s)*a]}cellSize(e){let[n,s]=this.extent,[o,i]=this.bins.map(l=>l.length),a=Math.
min(e-L.left-L.right,Lo*n/s);return[a/o,a*s/n/i]}paintAxes(){let[e,n]=this.bins.map(l=>l.length),[s,o]=[this.cell[0]*e,this.cell[1]*n],i=L.top+o,a=[b("rect",{class:"\
ground",x:L.left,y:L.top,width:s,height:o})];for(let l of Or(this.ends(0),s/90)){let u=L.left+s*(l-this.ends(0)[0])/(this.ends(0)[1]-this.ends(0)[0]);a.push(b("\
line",{x1:u,x2:u,y1:L.top,y2:i})),a.push(b("text",{x:u,y:i+16,"text-anchor":"middle"},`${l}°`))}for(let l of Or(this.ends(1),o/60)){let u=i-o*(l-this.ends(1)[0])/
(this.ends(1)[1]-this.ends(1)[0]);a.push(b("line",{x1:L.left,x2:L.left+s,y1:u,y2:u})),a.push(b("text",{x:L.left-5,y:u+4,"text-anchor":"end"},`${l}°`))}this.axis.
replaceChildren(...a),this.marks.replaceChildren(...this.scale(s,i))}scale(e,n){let[s]=this.extent,o=Uo(s*Bo),i=e*o/s,[a,l]=[L.left+10,n-10],u=o>=1?`${v(o)} km`:
`${v(1e3*o)} m`;return[b("path",{class:"scale",d:`M${a},${l-5}v5h${i}v-5`}),b("text",{class:"scale-text",x:a+i/2,y:l-6,"text-anchor":"middle"},u)]}};function Uo(r){
let t=10**Math.floor(Math.log10(r));return([5,2].find(e=>e*t<=r)??1)*t}function Or([r,t],e){let n=re(t-r,Math.max(2,Math.floor(e))),s=n.length>1?n[1]:t-r,o=Math.
max(0,Math.ceil(-Math.log10(s)+1e-9)),i=[];for(let a=Math.ceil(r/s);a*s<=t;a+=1)i.push(Number((a*s).toFixed(o))+0);return i}var ke=class{constructor(t){this.store=t;this.box=p("input",{type:"checkbox",id:"simultaneous","aria-describedby":"simultaneous-note",onchange:()=>t.choose("sim\
ultaneous",this.box.checked)}),this.element=p("p",{class:"switch"},p("label",{},this.box,p("span",{},"Simultaneous intervals")),p("span",{class:"note",id:"simul\
taneous-note"},"All intervals of a chart, map or table hold together in 95 of 100 cases. They are longer."))}store;element;box;draw(){this.box.checked=this.store.
simultaneous}};function Cr(r,t,e){let n=e.map(i=>Rr(r.attributes[i].name)),s=Object.entries(t).map(([i,a])=>Ho(r.attributes[Number(i)],a)),o=[`SELECT ${[...n,lt(r.facts.measure)].
join(", ")}`,"FROM view"];return s.length&&o.push(`WHERE ${s.join(`
  AND `)}`),n.length&&o.push(`GROUP BY ${n.join(", ")}`),o.join(`
`)}function Ho(r,t){let e=Rr(r.name),n=[],s=[];for(let[o,i]of t){let a=Math.min(i,r.count);if(r.ordered)o<a&&n.push($r(r,e,o,a));else for(let l=o;l<a;l+=1)s.push(
yn(r.names[l]));r.other&&o<=r.count&&r.count<i&&n.push(Po(r,e)),r.missing&&o<=r.missingCode&&r.missingCode<i&&n.push(`${e} IS NULL`)}return s.length&&n.unshift(
`${e} IN (${s.join(", ")})`),n.length===0?`(${e} IS NULL AND ${e} IS NOT NULL)`:n.length===1?n[0]:`(${n.join(" OR ")})`}function $r(r,t,e,n){let s=a=>r.isCalendar?
yn(r.text(a)):r.text(a),[o,i]=[r.tickAt(e),r.tickAt(n)];return r.step?`${t} BETWEEN ${s(o)} AND ${s(i-r.step)}`:`${t} >= ${s(o)} AND ${t} < ${s(i)}`}function Po(r,t){
return r.ordered?`NOT (${$r(r,t,0,r.count)})`:`${t} NOT IN (${r.names.map(yn).join(", ")})`}function Rr(r){return/^[a-z_][a-z0-9_]*$/i.test(r)?r:`"${r.replaceAll(
'"','""')}"`}function yn(r){return`'${r.replaceAll("'","''")}'`}var Te=class{constructor(t,e){this.store=t;let n=E("sql");this.text=p("textarea",{id:"sql",rows:5,spellcheck:"false",autocapitalize:"off",autocomplete:"off","ar\
ia-labelledby":n,onkeydown:s=>{s.key==="Enter"&&(s.ctrlKey||s.metaKey)&&this.run()}}),this.table=new ft(e,"answer","Answer to the question in SQL"),this.element=
p("section",{class:"panel","aria-labelledby":n},p("header",{},p("h2",{id:n},"SQL")),this.text,p("p",{class:"acts"},p("button",{type:"button",class:"main",onclick:()=>this.
run()},"Run"),p("button",{type:"button",class:"quiet",onclick:()=>this.takeOver()},"Use the filters above"),p("span",{class:"note"},"Ctrl+Enter runs it")),this.
problem,this.table.element)}store;element;text;problem=p("p",{class:"problem",role:"alert",hidden:!0});table;ran="";simultaneous=!1;draw(){this.store.sql===null?
this.text.value===""&&this.takeOver():(this.store.sql!==this.ran||this.store.simultaneous!==this.simultaneous)&&(this.text.value=this.store.sql,this.answer())}takeOver(){
let{engine:t,filters:e,group:n}=this.store;this.text.value=Cr(t,e,n)}run(){this.answer(),this.store.choose("sql",this.text.value)}answer(){let{simultaneous:t}=this.
store;Object.assign(this,{ran:this.text.value,simultaneous:t}),this.problem.hidden=!0,this.table.element.hidden=!0;try{this.table.show(ee(this.store.engine,this.
text.value,{simultaneous:t}))}catch(e){if(!(e instanceof g))throw e;this.problem.textContent=e.message,this.problem.hidden=!1}}};function Fr({privacy:r}){return r.warning?p("p",{class:"warning",role:"alert"},`${r.warning}. Never give this view away.`):null}function Lr(r){let{axes:t,privacy:e,
description:n,kept:s}=r,o=e.warning?"A view that is not private":"A differentially private view",i=`${t.length} ${t.length===1?"attribute":"attributes"}`,a=`noi\
se of epsilon ${Nt(e.epsilon)} protects ${e.unit}`,u=[`${o} of a table by ${i}: ${a}, so every number is an estimate with a 95 % interval.`,n,s&&`${s[0].toUpperCase()}${s.
slice(1)}.`].filter(Boolean);return p("header",{class:"title"},p("h1",{},r.title),...u.map(h=>p("p",{},h??"")))}function Br(r){let{privacy:t}=r,e=E("privacy"),n=[
t.promise,...t.words];return p("section",{class:"panel privacy","aria-labelledby":e},p("header",{},p("h2",{id:e},"Privacy")),...[...n,"All numbers here are esti\
mates. Noise was added on purpose, and the distribution inside a block is estimated. The 95 % intervals allow for both. Where a method gives no error, the page \
says so.",...r.content.mixture?["Some pairs of attributes were measured together. Where the page says that attributes were never measured together, the numbers \
assume that they are independent."]:[]].map(i=>p("p",{},i)),Do(r),p("h3",{},"What the budget was spent on"),p("p",{},"Along the path from the whole table to a b\
lock with the largest privacy loss."),Nr("What the budget was spent on",["spent on","by",t.currency],t.ledger.map(([i,a,l])=>[i,a,Nt(l)])),p("details",{},p("sum\
mary",{},`All ${v(t.entries.length)} entries of the ledger`),Nr("All entries of the ledger",["purpose","mechanism","statistic","sensitivity",t.currency,"blocks"],
t.entries.map(([i,a,l,u,h,c])=>[i,a,l,String(u),h,v(c)]))))}function Do(r){let{privacy:t}=r,e=[["definition",t.definition],["epsilon",`${Nt(t.epsilon)}, of whic\
h ${Nt(t.spent)} was spent`],...t.delta?[["delta",Nt(t.delta)]]:[],["protects",t.unit],["noise from",t.entropy],["method",r.method],["holds",`${v(r.rows)} ${r.noun}\
 for ${jo(r.cells)} cells`],["made by",r.software]];return p("dl",{},...e.flatMap(([n,s])=>[p("dt",{},n),p("dd",{},s)]))}function Nr(r,t,e){let n=o=>o<t.indexOf(
"sensitivity")||o<2?"left":null,s=o=>Q(...o.map((i,a)=>N("td",{class:n(a),"data-label":t[a]},i)));return ge(r,t.map((o,i)=>z({class:n(i)},o)),e.map(s))}function Nt(r){
return String(Number(r.toPrecision(6)))}function jo(r){return r.length>15?`about 10^${r.length-1}`:r.replace(/\B(?=(\d{3})+$)/g,",")}var Go=864e5,Oe=class{constructor(t,e){this.axis=e;this.name=t.name,this.unit=t.unit,this.type=t.type,this.size=t.size,this.count=t.count,this.other=t.other,this.
missing=t.missing,this.otherName=t.otherName,this.missingName=t.missingName,this.title=t.label||t.name,this.description=t.description??"",this.ordered=t.names===
void 0,this.names=t.names??[],this.codes=new Map(this.names.map((n,s)=>[n,s])),this.step=t.step??0,this.bins=t.bins??{edges:[]}}axis;name;unit;type;size;count;other;missing;otherName;missingName;title;description;ordered;names;codes;step;bins;get missingCode(){
return this.count+(this.other?1:0)}get special(){return Array.from({length:this.size-this.count},(t,e)=>this.count+e)}describe(t){return t>=this.count?this.other&&
t===this.count?this.otherName:this.missingName:this.ordered?this.describeRange(t,t+1):this.names[t]}describeRange(t,e){let n=this.tickAt(t),s=this.tickAt(e);return s-
n<=this.step?this.text(n):`${this.text(n)} to ${this.text(s-this.step)}`}describeIntervals(t){let e=[];for(let[n,s]of t){let o=Math.min(s,this.count);if(n<o)if(this.
ordered)e.push(this.describeRange(n,o));else for(let i=Math.floor(n);i<o;i+=1)e.push(this.names[i]);for(let i of this.special)n<=i&&i<s&&e.push(this.describe(i))}
return e.length===0?"nothing":e.length>4?`${e.slice(0,3).join(", ")} and ${e.length-3} more`:e.join(", ")}tickAt(t){let e=Math.min(Math.floor(t),this.count-1),n=this.
edge(e);return t===e?n:n+(t-e)*(this.edge(e+1)-n)}edge(t){let{bins:e}=this;return e.edges?e.edges[t]:t===this.count?e.stop:e.start+t*e.width}positionOf(t){let{bins:e}=this;
if(t>=this.edge(this.count))return this.count;if(t<=this.edge(0))return 0;let n=this.count-1;if(e.edges){let o=C(e.edges,t);return o+(t-e.edges[o])/(e.edges[o+1]-
e.edges[o])}let s=(t-e.start)/e.width;return s<=n?s:Math.min(this.count,Math.max(n+(t-this.edge(n))/(e.stop-this.edge(n)),n))}text(t){if(this.type==="integer")return String(
Math.round(t));if(this.type==="number")return zo(t);let[e,n]=new Date(Math.round(t)).toISOString().replace("Z","").split("T");return this.type==="date"?e:`${e} ${n.
replace(/\.0+$/,"")}`}brief(t){if(this.type!=="timestamp")return this.text(t);let[e,n]=new Date(Math.round(t)).toISOString().split("T"),s=(this.edge(this.count)-
this.edge(0))/Go;return s>60?e:s<=1?n.slice(0,5):`${e.slice(5)} ${n.slice(0,5)}`}parse(t){let e=t.trim();if(this.type==="integer"||this.type==="number")return e!==
""&&Number.isFinite(Number(e))?Number(e):null;let n=/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?$/.exec(e);if(!n||this.type==="date"&&n[2])
return null;let s=Date.parse(`${n[1]}T${n[2]??"00:00"}Z`);return Number.isFinite(s)&&new Date(s).toISOString().startsWith(n[1])?s:null}displayBins(t){let e=this.
ordered?Math.max(1,Math.ceil(this.count/t)):1,n=this.ordered?this.count:Math.min(this.count,t),s=[];for(let o=0;o<n;o+=e)s.push([o,Math.min(o+e,n)]);return[...s,
...this.special.map(o=>[o,o+1])]}describeBin([t,e]){return e-t===1||t>=this.count?this.describe(t):this.describeRange(t,e)}get isCalendar(){return this.type==="\
date"||this.type==="timestamp"}};function zo(r){if(r===0)return"0";let[t,e]=r.toExponential(9).split("e"),n=Number(e);if(n<-4||n>=10){let s=n<0?"-":"+";return`${Number(
t)}e${s}${String(Math.abs(n)).padStart(2,"0")}`}return r.toFixed(Math.max(0,9-n)).replace(/(\.\d*?)0+$/,"$1").replace(/\.$/,"")}var V=class{constructor(t,e){this.sides=t;this.values=e}sides;values;cover(t,e=[]){return Object.keys(t).map(Number).filter(s=>!e.includes(s)).map(s=>[s,this.sides[s].
covered(t[s])])}weighted(t){let e=Float64Array.from(this.values);for(let[n,s]of t){let{which:o}=this.sides[n];for(let i=0;i<e.length;i+=1)e[i]*=s[o[i]]}return e}histogram(t,e,n){
let s=this.sides[t],o=this.weighted(this.cover(n,[t])),i=new Float64Array(s.count);for(let c=0;c<o.length;c+=1)i[s.which[c]]+=o[c];let{first:a,bin:l,share:u}=s.
spread(e),h=new Float64Array(e.length);for(let c=0;c<s.count;c+=1)for(let m=a[c];m<a[c+1];m+=1)h[l[m]]+=i[c]*u[m];return h}grid(t,e,n,{within:s=!1}={}){let o=t.
map(h=>this.sides[h]),i=t.map((h,c)=>o[c].spread(e[c],s?n[h]??null:null)),a=this.weighted(this.cover(n,t)),l=new Float64Array(e.reduce((h,c)=>h*c.length,1)),u=(h,c,m,d)=>{
if(h===t.length){l[m]+=d;return}let{first:f,bin:w,share:y}=i[h],x=o[h].which[c],I=e[h].length;for(let k=f[x];k<f[x+1];k+=1)u(h+1,c,m*I+w[k],d*y[k])};for(let h=0;h<
a.length;h+=1)a[h]!==0&&u(0,h,0,a[h]);return l}};function vn(r,t){return t.map((e,n)=>{let s=new Map,o=[],i=new Int32Array(r[n].length);for(let a=0;a<i.length;a+=
1){let l=r[n][a],u=s.get(l);u===void 0&&(u=o.length,s.set(l,u),o.push(l)),i[a]=u}return new q(Float64Array.from(o),Float64Array.from(o,a=>a+1),i,null)})}var wt=class{constructor(t,e){this.axis=t;this.cut=e;this.count=t.length,this.right=new Int32Array(this.count),this.leaf=new Int32Array(this.count).fill(-1),this.
own=new Int32Array(this.count),this.cutting=new Int32Array(this.count);let n=new Int32Array(this.count);for(let o=this.count-1;o>=0;o-=1)n[o]=1,!(t[o]<0)&&(this.
right[o]=o+1+n[o+1],n[o]+=n[o+1]+n[this.right[o]]);let s=0;for(let o=0;o<this.count;o+=1)t[o]<0&&(this.leaf[o]=s++);this.leaves=s}axis;cut;count;leaves;right;leaf;own;cutting;addUp(t){
let e=new Float64Array(this.count);for(let n=this.count-1;n>=0;n-=1)e[n]=this.axis[n]<0?t[this.leaf[n]]:e[n+1]+e[this.right[n]];return e}sides(t,e){let n=t.length,
s=t.map((a,l)=>new An(this,l,a)),o=new Int32Array(this.count*n),i=t.map(()=>new Int32Array(this.leaves));for(let a=0;a<n;a+=1)o[a]=s[a].of(0,t[a]);for(let a=0;a<
this.count;a+=1){let l=a*n,u=this.axis[a];if(u<0){for(let f=0;f<n;f+=1)i[f][this.leaf[a]]=o[l+f];continue}let h=o[l+u];this.cutting[a]=h;let{lower:c,upper:m}=s[u],
d=[[a+1,c[h],this.cut[a]],[this.right[a],this.cut[a],m[h]]];for(let[f,w,y]of d)o.copyWithin(f*n,l,l+n),this.own[f]=o[f*n+u]=s[u].of(w,y)}return s.map(({lower:a,
upper:l},u)=>new q(Float64Array.from(a),Float64Array.from(l),i[u],e?.[u]??null))}},An=class{lower=[];upper=[];place;seen=new Map;constructor(t,e,n){let s=new Set(
[0,n]);for(let o=0;o<t.count;o+=1)t.axis[o]===e&&s.add(t.cut[o]);this.place=new Map([...s].map((o,i)=>[o,i]))}of(t,e){let n=(this.place.get(t)??0)*this.place.size+
(this.place.get(e)??0),s=this.seen.get(n);return s===void 0&&(s=this.lower.length,this.seen.set(n,s),this.lower.push(t),this.upper.push(e)),s}},yt=class{constructor(t,e){
this.tree=t;let n=Float64Array.from(e);this.share=new Float64Array(t.count).fill(1),this.between=new Float64Array(t.count);for(let s=t.count-1;s>=0;s-=1){if(t.axis[s]<
0)continue;let o=s+1,i=t.right[s],a=n[o]+n[i];n[s]=Number.isFinite(e[s])?e[s]*xn(a,e[s]+a):a,this.share[o]=xn(n[o],a),this.share[i]=xn(n[i],a),this.between[s]=n[i]*
this.share[o]}this.root=n[0],this.through=new Float64Array(t.count),this.inside=new Float64Array(t.count)}tree;root;share;between;through;inside;ofWeights(t){let{
tree:e}=this;for(let n=e.count-1;n>=0;n-=1)e.axis[n]<0?this.settle(n,t[e.leaf[n]]):this.join(n);return this.atRoot()}settle(t,e){this.through[t]=e,this.inside[t]=
0}join(t){let e=t+1,n=this.tree.right[t],s=this.through[e]-this.through[n];this.through[t]=this.share[e]*this.through[e]+this.share[n]*this.through[n],this.inside[t]=
this.inside[e]+this.inside[n]+this.between[t]*s*s}atRoot(){return this.inside[0]+this.through[0]**2*this.root}};function Ce(r,t){return Float64Array.from(r,e=>e===
0?1/0:t[e-1])}function xn(r,t){return t>0?r/t:.5}function rt(r,{scatter:t,power:e}){let n=Math.max(r,0);return n+t*n**e}function Ur(r,t,e,n){let{of:s,count:o}=n,i=new Float64Array(o),a=new Float64Array(o),l=new Float64Array(
o);for(let h=0;h<s.length;h+=1){let c=r[t[h]];i[s[h]]+=c,a[s[h]]+=c*c,l[s[h]]=e[h]}let u=0;for(let h=0;h<o;h+=1)u+=Math.max(i[h]**2,a[h])*l[h]*(1-l[h]);return u}
function Hr(r,t,e,n,s,o){let{of:i,count:a}=s,l=new Float64Array(a),u=new Float64Array(a),h=0;for(let m=0;m<i.length;m+=1)h+=t[e[m]]*n[m]*(1-n[m]),l[i[m]]+=r[e[m]],
u[i[m]]=n[m];let c=0;for(let m=0;m<a;m+=1)c+=rt(l[m],o)*u[m]*(1-u[m]);return(1-o.together)*h+o.together*c}function Mn(r,t,e){let n=new Float64Array(e.length),s=1;
for(let[o,i]of t){let{which:a,count:l}=r[o];s*(l+1)>4503599627370496&&({of:n,count:s}=$e(n));for(let u=0;u<e.length;u+=1){let h=a[e[u]];n[u]=n[u]*(l+1)+(i[h]<1?
h+1:0)}s*=l+1}return $e(n)}function Pr(r,t,e,n){let s=new Float64Array(e.length);return t.forEach((o,i)=>{let a=Mn(r,o,e);for(let l=0;l<e.length;l+=1)s[l]=s[l]*
(a.count+1)+(n[i][l]?a.of[l]+1:0);({of:s}=$e(s))}),$e(s)}function $e(r){let t=new Map,e=new Float64Array(r.length);for(let n=0;n<r.length;n+=1){let s=t.get(r[n])??
t.size;t.set(r[n],s),e[n]=s}return{of:e,count:t.size}}function Dr(r,t,e,n){let{margin_weight:s,unmeasured_weight:o,unmeasured_power:i}=n;if(!(s||o)||!(r>0))return 0;let a=t.map(f=>_o(f,e.sizes)),l=t.map((f,w)=>Vo(f,
a[w],r,e,n)),u=s*Math.max(0,...l);if(a.every(f=>f.length<=1))return u;let{total:h,record:c}=e,m=h>0?Math.min(r/h,1):0,d=rt(h/c,n)*c**2;return u+o*d*m**i*(1-m)}function Vo(r,t,e,n,s){
let o=0;for(let i of t){let a=s.histogram_variances[i]??null;if(a===null)continue;let[l,u,h]=[n.axes[i],Z(r[i]),n.sizes[i]],c=f=>l.mass?l.at(f):f,m=r[i].reduce(
(f,[w,y])=>f+c(y)-c(w),0),d=c(h)>0?n.total*m/c(h):0;o+=a*Math.max(Math.min(u,h-u),0)*(e/Math.max(e,d))**2}return o}function _o(r,t){return Object.keys(r).map(Number).
filter(n=>Z(r[n])<t[n])}var qo=1-1e-12,vt=class{constructor(t,e,n=s=>new V(s,t.values)){this.sizes=e;let s=t.errorModel;this.model=s,this.tree=new wt(t.axis,t.cut),this.record=t.record,
this.rows=n(this.tree.sides(e,t.density)),this.covariance=new yt(this.tree,Ce(t.measured,t.variances)),this.totals=this.tree.addUp(this.rows.values);let{count:o}=this.
tree;this.stacks={nodes:new Int32Array(o),out:new Int32Array(o),inner:new Int32Array(o)},this.records=t.values.map(i=>i/this.record),this.scatter=this.records.map(
i=>s?rt(i,s):0)}sizes;rows;model;record;covariance;tree;totals;records;scatter;stacks;answer(t){let e=this.summed(t),{value:n,noise:s,partly:o,share:i,groups:a}=e,
{model:l}=this;if(!l)return W(n,s,Ur(this.rows.values,o,i,a),2.12);let[u,...h]=t,c=u&&h.length===0,[m,d]=c?this.ofHistogram(u,Object.keys(u).map(Number),l):[1/0,
0],f=o.reduce((k,st,B)=>k+this.rows.values[st]*i[B],0),w={total:this.totals[0],record:this.record,axes:this.rows.sides,sizes:this.sizes},y=Dr(f,t,w,l),x=this.scattered(
e,l)+this.cutOff(d,n,l)+y,I=Math.min(x,Math.max(m-s,0));return W(n,Math.min(s,m),I,l.z)}summed(t,e=1/0){let n=t.map(o=>this.rows.cover(o)),s=t.length===1?this.descend(
n[0],t[0],e):this.unite(n);return s&&{...s,noise:this.covariance.atRoot()}}scattered({partly:t,share:e,groups:n},s){return Hr(this.records,this.scatter,t,e,n,s)*
this.record**2}unite(t){let{sides:e,values:n}=this.rows,s=new Float64Array(n.length),o=t.map(u=>Float64Array.from(n,(h,c)=>jr(u,e,c)));for(let u of o)for(let h=0;h<
s.length;h+=1)s[h]+=u[h];let i=[],a=0;for(let u=0;u<s.length;u+=1)s[u]>=qo?s[u]=1:s[u]>0&&i.push(u),a+=s[u]*n[u];this.covariance.ofWeights(s);let l=o.map(u=>i.map(
h=>u[h]>0));return{value:a,partly:i,share:i.map(u=>s[u]),groups:Pr(e,t,i,l)}}descend(t,e,n){let s=n<1/0?n/this.record**2/(1-(this.model?.together??0)):1/0,o=0,{
tree:i,covariance:a,totals:l,rows:u}=this,h=new Array(this.sizes.length).fill(null);for(let[A]of t)h[A]=u.sides[A].touched(e[A]);let{axis:c,right:m,own:d,cutting:f,
leaf:w}=i,{nodes:y,out:x,inner:I}=this.stacks,k=[],st=[],[B,ot,Ve]=[1,0,0];for(y[0]=0,x[0]=t.filter(([A])=>(h[A]?.[0]??2)<2).length;B;){B-=1;let A=y[B],_e=x[B];
if(_e===0)Ve+=l[A],a.settle(A,1);else if(c[A]<0){let F=jr(t,u.sides,w[A]);if(Ve+=F*l[A],a.settle(A,F),F>0&&F<1){if(k.push(w[A]),st.push(F),s===1/0)continue;if(o+=
this.scatter[w[A]]*F*(1-F),o>s)return null}}else{I[ot]=A,ot+=1;let F=h[c[A]];for(let Lt=A+1,kn=0;kn<2;Lt=m[A],kn+=1){let Tn=F?F[d[Lt]]:1;if(Tn===0){a.settle(Lt,
0);continue}y[B]=Lt,x[B]=F&&Tn===2&&F[f[A]]<2?_e-1:_e,B+=1}}}for(let A=ot-1;A>=0;A-=1)a.join(I[A]);return{value:Ve,partly:k,share:st,groups:Mn(u.sides,t,k)}}ofHistogram(t,[
e,...n],s){let o=s.histogram_variances[e]??null;if(o===null||n.length)return[1/0,0];let i=t[e],a=Z(i),l=this.sizes[e]-a;return[!i.some(c=>c.some(m=>m%1))?Math.min(
a*o,l*o+this.covariance.root):1/0,o*Math.max(Math.min(a,l),0)]}cutOff(t,e,n){return n.histogram_weight*Math.max(t-Math.max(e,0)**2,0)}};function jr(r,t,e){let n=1;
for(let[s,o]of r)n*=o[t[s].which[e]];return n}var Re=class{constructor(t,e){this.sizes=e;this.rows=new V(vn(Wo(e,t.values.length),e),t.values)}sizes;rows;total(t){return Gr(this.rows,t)}},Ne=class extends Re{bucket;covariance;size;totals;constructor(t,e){
super(t,e),this.bucket=t.bucket;let n=new wt(t.axis,t.cut);this.covariance=new yt(n,Ce(t.measured,t.variances)),this.size=new Float64Array(n.leaves),this.totals=
new Float64Array(n.leaves),this.bucket.forEach((s,o)=>{this.size[s]+=1,this.totals[s]+=t.values[o]})}answer(t){let e=new Float64Array(this.size.length),n=0;for(let o of t.
map(i=>this.rows.cover(i)))for(let i=0;i<this.bucket.length;i+=1){let a=1;for(let[l,u]of o)a*=u[this.rows.sides[l].which[i]];e[this.bucket[i]]+=a,n+=a*this.rows.
values[i]}let s=0;for(let o=0;o<e.length;o+=1)e[o]=Math.min(e[o]/this.size[o],1),s+=this.totals[o]**2*e[o]*(1-e[o]);return W(n,this.covariance.ofWeights(e),s,2.12)}},
Fe=class extends Re{bases;inverse;variance;constructor(t,e){super(t,e),this.bases=t.bases,this.inverse=t.inverse,this.variance=t.variance}answer(t){let e=t.map(
o=>this.rows.cover(o)),n=e.map(o=>this.turned(new Map(o))),s=0;return n.forEach((o,i)=>{n.slice(i).forEach((a,l)=>{s+=(l?2:1)*this.covariance(o,a)})}),W(this.total(
e),s*this.variance,0,2.12)}turned(t){return this.sizes.map((e,n)=>Ko(this.bases[n],e,this.weights(n,t.get(n))))}covariance(t,e){let n=this.inverse;return t.forEach(
(s,o)=>{let i=s[0]*e[o][0],a=0;for(let h=1;h<s.length;h+=1)a+=s[h]*e[o][h];let l=n.length/2,u=new Float64Array(l);for(let h=0;h<l;h+=1)u[h]=i*n[h]+a*n[l+h];n=u}),
n[0]}weights(t,e){let n=new Float64Array(this.sizes[t]).fill(1);return this.rows.sides[t].lower.forEach((s,o)=>{e&&(n[s]=e[o])}),n}},Le=class{rows;constructor(t,e){
let n=t.values.length,s=e.map((o,i)=>t.coords.subarray(i*n,(i+1)*n));this.rows=new V(vn(s,e),t.values)}answer(t){return fn(Gr(this.rows,t.map(e=>this.rows.cover(
e))))}};function Gr(r,t){return t.reduce((e,n)=>e+r.weighted(n).reduce((s,o)=>s+o,0),0)}function Ko(r,t,e){let n=new Float64Array(t);for(let s=0;s<t;s+=1)if(e[s]!==
0)for(let o=0;o<t;o+=1)n[o]+=e[s]*r[s*t+o];return n}function Wo(r,t){let e=t;return r.map(n=>{e/=n;let s=new Int32Array(t);for(let o=0;o<t;o+=1)s[o]=Math.floor(
o/e)%n;return s})}var Be=class{total;weights;bins;shares;below;masses;constructor({total:t,weights:e,edges:n,levels:s},o){this.total=t,this.weights=e,this.bins=n.map((i,a)=>Yo(Float64Array.
from(i),o?.[a]??null)),this.shares=s.map(i=>Qo(i,e.length)),this.below=this.shares.map(i=>Zo(i,e.length)),this.masses=n.map(()=>new j(e.length))}mass(t,e){return this.
masses[t].of(e,()=>this.massOf(t,e))}massOf(t,e){let n=this.weights.length,s=this.bins[t].covered(e),o=new Float64Array(n);for(let i=0;i<s.length;i+=1){if(s[i]===
0)continue;let a=i;for(;i+1<s.length&&s[i]===1&&s[i+1]===1;)i+=1;a<i?ti(o,this.below[t],a*n,(i+1)*n):_r(o,this.shares[t],i*n,s[i])}return o}components(t,e=[]){let n=this.
weights.map(s=>s*this.total);for(let s of Object.keys(t)){let o=Number(s);e.includes(o)||zr(n,this.mass(o,t[o]))}return n}value(t){return Vr(this.components(t))}addGrid(t,e,n,s,{
within:o=!1}={}){let i=e.map((m,d)=>this.bins[m].spread(n[d],o?s[m]??null:null)),a=this.weights.length,l=e.length-1,u=e.slice(0,l).map((m,d)=>Jo(this.shares[m],
i[d],n[d].length,a)),h=(m,d,f)=>{if(m===l){Xo(t,d*n[l].length,this.shares[e[l]],i[l],f);return}for(let w=0;w<n[m].length;w+=1){let y=Float64Array.from(f);zr(y,u[m].
subarray(w*a,(w+1)*a)),h(m+1,d*n[m].length+w,y)}},c=this.components(s,e);return e.length?h(0,0,c):t[0]+=Vr(c),t}},Ue=class extends V{constructor(e,n,s){super(e,
n);this.mixture=s}mixture;histogram(e,n,s){return this.mixture.addGrid(super.histogram(e,n,s),[e],[n],s)}grid(e,n,s,o){return this.mixture.addGrid(super.grid(e,
n,s,o),e,n,s,o)}};function Yo(r,t){return new q(r.slice(0,-1),r.slice(1),new Int32Array(0),t)}function Qo(r,t){let e=r.length/t,n=new Float64Array(r.length);for(let s=0;s<
t;s+=1){let o=0;for(let i=0;i<e;i+=1)o+=r[s*e+i]**2;for(let i=0;i<e;i+=1)n[i*t+s]=r[s*e+i]**2/o}return n}function Zo(r,t){let e=new Float64Array(r.length+t);for(let n=0;n<
r.length;n+=1)e[n+t]=e[n]+r[n];return e}function Jo(r,{first:t,bin:e,share:n},s,o){let i=new Float64Array(s*o);for(let a=0;a<t.length-1;a+=1)for(let l=t[a];l<t[a+
1];l+=1)_r(i.subarray(e[l]*o,(e[l]+1)*o),r,a*o,n[l]);return i}function Xo(r,t,e,{first:n,bin:s,share:o},i){let a=i.length;for(let l=0;l<n.length-1;l+=1){if(n[l]===
n[l+1])continue;let u=0;for(let h=0;h<a;h+=1)u+=i[h]*e[l*a+h];for(let h=n[l];h<n[l+1];h+=1)r[t+s[h]]+=u*o[h]}}function _r(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=
n*t[e+s]}function ti(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=t[n+s]-t[e+s]}function zr(r,t){for(let e=0;e<r.length;e+=1)r[e]*=t[e]}function Vr(r){let t=0;for(let e=0;e<
r.length;e+=1)t+=r[e];return t}var ei=4,ni="no two of these attributes were measured together: the answer takes them as independent",He=class{constructor(t,e,n,s){this.model=t;this.mixture=e;
this.sizes=n;this.record=s;this.within=e.bins.map((o,i)=>si(o,n[i])),this.figures=n.map(()=>new j(ei))}model;mixture;sizes;record;within;figures;bounded(t){return Object.
keys(t).map(Number).filter(n=>!oi(t[n],this.sizes[n]))}ofBoxes(t){let[e,n,s]=[0,0,!0];for(let o of t){let i=this.ofBox(o);e+=Math.sqrt(i.least),n+=Math.sqrt(i.rest),
s&&=i.byPair}return{least:e**2,rest:n**2,byPair:s}}ofBox(t){let e=this.bounded(t),n=new Map(e.map(m=>[m,this.along(m,t[m])])),s=this.mixture.total,o=1/0,i=0,{sum_power:a}=this.
model;for(let{axes:m,variance:d,dependence:f,misfit:w}of this.pairsIn(n)){let[y,x]=m.map(ot=>this.along(ot,t[ot])),I=qr(n,m),k=this.scatter(s*(y.cut*x.share+x.cut*
y.share)),st=this.scatter(this.ofPair(t,m))*I*Math.max(1-I,0),B=w*d*(y.cells*x.cells)**a;o=Math.min(o,I**2*(B+k)+st),i=Math.max(i,I**2*f*s**2*ri(y,x))}let l=0;for(let[
m,{histogram:d}]of n)l+=d*qr(n,[m])**2;let{dependence_weight:u,histogram_weight:h}=this.model,c=e.length===2&&o<1/0;return{least:o,rest:u*i+h*l,byPair:c}}note(t,e){
let n=o=>o.size>1&&this.pairsIn(o).length===0,s=o=>new Set([...this.bounded(o),...e]);return t.some(o=>n(s(o)))?ni:""}pairsIn(t){return this.model.pairs.filter(
({axes:[e,n]})=>t.has(e)&&t.has(n))}along(t,e){return this.figures[t].of(e,()=>this.figuresOf(t,e))}figuresOf(t,e){let n=this.within[t],s=this.mixture.bins[t].covered(
e),o={share:0,cells:0,cut:0,histogram:0};for(let l=0;l<s.length;l+=1)o.share+=n[l]*s[l],o.cells+=s[l]**2,o.cut+=n[l]*s[l]*(1-s[l]);let i=Z(e),a=Math.max(0,Math.
min(i,this.sizes[t]-i));return o.histogram=(this.model.histogram_variances[t]??0)*a,o}ofPair(t,[e,n]){let{weights:s,total:o}=this.mixture,i=this.mixture.mass(e,
t[e]),a=this.mixture.mass(n,t[n]),l=0;for(let u=0;u<s.length;u+=1)l+=s[u]*i[u]*a[u];return o*l}scatter(t){return this.model.pair_scatter*rt(t/this.record,this.model)*
this.record**2}};function ri(r,t){return r.share===0||t.share===0?0:Math.min(1,r.cut/r.share+t.cut/t.share)**2*r.share*t.share*(1-r.share)*(1-t.share)}function qr(r,t){
let e=1;for(let[n,{share:s}]of r)t.includes(n)||(e*=s);return e}function si(r,t){let e=r.mass?.reduce((s,o)=>s+o,0)??0,n=(s,o)=>e>0?(r.at(o)-r.at(s))/e:(o-s)/t;
return Float64Array.from(r.lower,(s,o)=>n(s,r.upper[o]))}function oi(r,t){return r.length===1&&r[0][0]<=0&&r[0][1]>=t}var Pe=class extends vt{mixture;errorModel;pairs;constructor(t,e){let n=new Be(t.mixture,t.density);super(t,e,s=>new Ue(s,t.corrections,n)),this.mixture=n,this.
errorModel=t.errorModel,this.pairs=new He(t.errorModel,n,e,t.record)}answer(t,e=null){let{least:n,rest:s,cut:o,byPair:i}=this.told(t),a=i&&e!==null?null:this.summed(
t,e===null?1/0:n),l=e??t.reduce((m,d)=>m+this.mixture.value(d),a?.value??0),{errorModel:u}=this,h=a&&!i?a.noise+this.scattered(a,u)+this.cutOff(o,l,u):1/0,c=Math.
min(h,n)+s;return{...W(l,c,0,u.z),note:this.note(t)}}told(t){let e=t.length===1?this.pairs.bounded(t[0]):null;if(e===null||e.length>1)return{...this.pairs.ofBoxes(
t),cut:0};let[n,s]=this.ofHistogram(t[0],e,this.errorModel);return{least:n,rest:0,cut:s,byPair:!1}}note(t,e=[]){return this.pairs.note(t,e)}};var Kr={u1:Uint8Array,f8:Float64Array,i4:Int32Array,i2:Int16Array,u2:Uint16Array,u4:Uint32Array};async function ii(r){let t=Uint8Array.from(atob(r.data),n=>n.charCodeAt(
0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate"));return new Kr[r.type](await new Response(e).arrayBuffer())}async function De(r){if(r===
null||typeof r!="object")return r;if(ai(r))return ii(r);if(Array.isArray(r))return Promise.all(r.map(De));let t=Object.entries(r).map(async([e,n])=>[e,await De(
n)]);return Object.fromEntries(await Promise.all(t))}function ai(r){return"data"in r&&"type"in r&&String(r.type)in Kr}var je=class r{constructor(t,e){this.facts=t;this.content=e;this.attributes=t.axes.map((n,s)=>new Oe(n,s)),this.sizes=t.axes.map(n=>n.size),this.byName=new Map(
this.attributes.map(n=>[n.name,n]))}facts;content;attributes;sizes;byName;names=new Map;together=1;static async open(t){let e=t.axes.map(s=>s.size),n=t.content.
mixture?"mixed":t.content.kind;return new r(t,li(n,await De(t.content),e))}answer(t,e){let n=this.content.answer(Array.isArray(t)?t:[t],e);if(n.low===null)return n;
let s=this.together>1?dn(n,n.reach*hr(this.together)):n;return mr(s,this.shortest)}get shortest(){let{shortest:t}=this.facts.privacy;return this.together>1?t*cr(
this.together):t}shareBounds(t,e){return Hn(t.value,this.reachOf(t),e.value,this.reachOf(e))}reachOf({reach:t,stderr:e}){return Math.max(t,e!==null&&e>0?this.shortest/
2:0)}jointly(t){return Object.assign(Object.create(r.prototype),this,{together:t})}note(t,e){return this.content.note?.(t,e)??""}get measuredPairs(){let{content:t}=this.
facts;return t.mixture?t.errorModel?.pairs.map(({axes:e})=>e)??[]:[]}largestNames(t){let e=this.names.get(t);if(e)return e;let n=Array.from({length:this.attributes[t].
count},(i,a)=>a),s=n.map(i=>[i,i+1]),o=this.histogram(t,s,{});return n.sort((i,a)=>o[a]-o[i]),this.names.set(t,n),n}histogram(t,e,n){let[s,o]=Wr(e),i=this.content.
rows.histogram(t,s,n);return o?Float64Array.from(o,a=>i[a]):i}grid(t,e,n,s){let o=e.map(Wr),i=o.map(([l])=>l),a=this.content.rows.grid(t,i,n,s);return o.every(([
,l])=>l===null)?a:a.map((l,u)=>{let[h,c,m]=[u,1,0];for(let d=e.length-1;d>=0;d-=1){let f=h%e[d].length;m+=(o[d][1]?.[f]??f)*c,c*=e[d].length,h=Math.floor(h/e[d].
length)}return a[m]})}narrowed(t,e,n,{within:s=!1}={}){let o={...t};return e.forEach((i,a)=>{o[i]=Ut(n[a],s?t[i]:void 0)}),o}};function Wr(r){if(r.every((n,s)=>s===
0||r[s-1][0]<=n[0]))return[r,null];let t=r.map((n,s)=>s).sort((n,s)=>r[n][0]-r[s][0]),e=new Array(r.length);return t.forEach((n,s)=>{e[n]=s}),[t.map(n=>r[n]),e]}
function li(r,t,e){return r==="mixed"?new Pe(t,e):r==="blocks"?new vt(t,e):r==="buckets"?new Ne(t,e):r==="matrix"?new Fe(t,e):new Le(t,e)}var ui=["a","b"],hi=["shown","map","group"];function Zr(r,t){let e=r.engine.attributes.map(o=>o.name),n=new URLSearchParams,s=(o,i)=>{for(let[a,l]of Object.entries(
i))n.append(`${o}.${e[Number(a)]}`,l.map(u=>u.join("~")).join(" "))};s("in",r.filters),r.compared!==t.compared&&(n.append("compared","true"),r.compared.forEach(
(o,i)=>{s(ui[i],o)}));for(let o of hi)String(r[o])!==String(t[o])&&n.append(o,JSON.stringify(r[o].map(i=>e[i])));String(r.shares)!==String(t.shares)&&n.append("\
shares",r.shares.join(" "));for(let[o,{unit:i,window:a}]of Object.entries(r.grains))n.append(`bins.${e[Number(o)]}`,a?`${i} ${a.join("~")}`:i);return r.zoomed&&
n.append("zoomed","true"),r.simultaneous&&n.append("simultaneous","true"),r.sql!==null&&n.append("sql",r.sql),n.toString()}function Sn(r,t){let e={},n=[{},{}],s={},
o={filters:e,grains:s};for(let[i,a]of new URLSearchParams(r.replace(/^#/,""))){let[l]=i.split(".",1),u={in:e,a:n[0],b:n[1]}[l];if(u&&i.includes(".")){let h=t.byName.
get(i.slice(l.length+1)),c=h&&Yr(a,h.size);c&&(u[h.axis]=c)}else if(i==="compared")o.compared=n;else if(i.startsWith("bins.")){let h=t.byName.get(i.slice(5)),[c,
m]=a.split(" "),[d]=h&&m&&Yr(m,h.count)||[];h?.isCalendar&&Et.includes(c)&&(s[h.axis]={unit:c,window:d??null})}else if(i==="shown"||i==="group")o[i]=Qr(a,t)??void 0;else if(i===
"map"){let[h,c,...m]=Qr(a,t)??[];c!==void 0&&m.length===0&&(o.map=[h,c])}else if(i==="shares"){let h=a.split(" ").map(Number);h.length<=20&&h.every(c=>c>=0&&c<=
1)&&(o.shares=h)}else i==="simultaneous"||i==="zoomed"?o[i]=a==="true":i==="sql"&&(o.sql=a.slice(0,5e4))}return o}function Yr(r,t){let e=r===""?[]:r.split(" ").
map(s=>s.split("~").map(Number));return e.every(s=>s.length===2&&s[0]>=0&&s[0]<s[1]&&s[1]<=t)?O(e):null}function Qr(r,t){try{let e=JSON.parse(r),n=e.flatMap(s=>t.
byName.get(s)?.axis??[]);return n.length===e.length?[...new Set(n)]:null}catch{return null}}var Ge=class{jobs=new Map;waiting=[];planned=!1;start(t,e,n=12){this.jobs.set(t,e),n>0&&this.turn(t,e,performance.now()+n),this.plan()}settled(){return this.jobs.
size===0?Promise.resolve():new Promise(t=>this.waiting.push(t))}plan(){if(this.jobs.size===0)for(let t of this.waiting.splice(0))t();else this.planned||(this.planned=
!0,setTimeout(()=>this.slice(),0))}slice(){this.planned=!1;let t=performance.now()+12;for(let[e,n]of[...this.jobs]){if(performance.now()>=t)break;this.turn(e,n,
t)}this.plan()}turn(t,e,n){for(;performance.now()<n;)if(e.next().done){this.jobs.get(t)===e&&this.jobs.delete(t);return}}};function Jr(r,t){let e=ci(r),n=e.filter(u=>!t||u.some(h=>!t.includes(h))),s=Math.max(1,Math.min(60,Math.floor(2e6/r.facts.rows))),o=(n.length?n:e).slice(0,s),i=null,
a=-1;for(let u of o){let h=mi(r,u);h>a&&([i,a]=[u,h])}let l=u=>r.attributes[u].count;return i&&l(i[0])<l(i[1])?[i[1],i[0]]:i}function ci(r){let t=r.measuredPairs;
if(t.length)return t;let e=r.attributes.map(({axis:n})=>n);return e.flatMap(n=>e.slice(n+1).map(s=>[n,s]))}function mi(r,t){let e=t.map(u=>pi(r,r.attributes[u])),
n=r.grid(t,e,{}).map(u=>Math.max(u,0)),s=n.reduce((u,h)=>u+h,0);if(!(s>0))return 0;let o=e[1].length,[i,a]=e.map(u=>new Float64Array(u.length));n.forEach((u,h)=>{
i[Math.floor(h/o)]+=u/s,a[h%o]+=u/s});let l=(u,h)=>Math.abs(u/s-i[Math.floor(h/o)]*a[h%o]);return n.reduce((u,h,c)=>u+l(h,c),0)/2}function pi(r,t){return t.ordered?
t.displayBins(10):r.largestNames(t.axis).slice(0,10).map(e=>[e,e+1])}function Xr(r){let t=r.attributes.find(({ordered:i,count:a})=>!i&&a>1);if(t){let[i,a]=r.largestNames(t.axis);return[{[t.axis]:[[i,i+1]]},{[t.axis]:[[a,a+1]]}]}let{
axis:e,count:n}=r.attributes[0],s=Math.ceil(n/2),o=i=>({[e]:M([i],[[0,n]])});return[o([0,s]),o([s,n])]}var di=6,ze=class{constructor(t){this.engine=t;this.coordinates=kr(t.attributes),this.firstCompared=Xr(t),this.firstMap=Jr(t,this.coordinates)??[0,0],this.restore(
{})}engine;shown;filters;map;group;shares;sql;compared;zoomed;grains;simultaneous;coordinates;firstCompared;firstMap;listeners=[];restore({shown:t,filters:e,map:n,
group:s,shares:o,sql:i,compared:a,zoomed:l,grains:u,simultaneous:h}){let c=this.engine.attributes.map(m=>m.axis);this.shown=t??c.slice(0,di),this.filters=e??{},
this.map=n??this.firstMap,this.group=s??[c[0]],this.shares=o??[.1,.25,.5,.75,.9],this.sql=i??null,this.compared=a??this.firstCompared,this.zoomed=l??!1,this.grains=
u??{},this.simultaneous=h??!1}onChange(t){this.listeners.push(t)}changed(){for(let t of this.listeners)t()}filter(t,e){if(xt(this.filters[t],e??void 0))return;let n=[
[0,this.engine.attributes[t].size]],s={...this.filters};e===null||xt(e,n)?delete s[t]:s[t]=M(e,n),this.filters=s,t in s||(this.grains=ts(this.grains,t)),this.changed()}clear(){
this.filters={};for(let t of Object.keys(this.grains))this.grains=ts(this.grains,Number(t));this.changed()}engineFor(t){return this.simultaneous?this.engine.jointly(
t):this.engine}choose(t,e){Object.assign(this,{[t]:e}),this.changed()}};function ts(r,t){let{[t]:e,...n}=r;return e&&!e.window?r:n}var fi=8,En=class{constructor(t){this.engine=t;this.store=new ze(t),this.first={...this.store},this.whole=t.answer({}),this.count=new xe(this.store),this.picker=
new Ee(this.store),this.joint=new ke(this.store);let{coordinates:e}=this.store;this.heat=t.attributes.length>1?new Se(this.store):null,this.maps=[e&&new Ie(this.
store,e),this.heat].filter(n=>n!==null),this.compare=new ve(this.store),this.groups=new Ae(this.store,this.scheduler),this.quantiles=new be(this.store),this.sql=
new Te(this.store,this.scheduler)}engine;times=[];store;first;scheduler=new Ge;whole;cards=new Map;count;picker;joint;grid=p("div",{class:"cards"});maps;heat;compare;groups;quantiles;sql;planned=!1;hash="";writing=0;start(t){
let{facts:e}=this.engine,n=[Fr(e),Lr(e),this.count.element,Er(),this.joint.element,this.picker.element,p("h2",{class:"unseen"},"Charts"),this.grid,p("div",{class:"\
panels"},p("div",{},...this.maps.map(s=>s.element),this.compare.element),p("div",{},this.groups.element)),this.quantiles.element,this.sql.element,Br(e)];t.replaceChildren(
...n.filter(s=>s!==null)),this.store.restore(Sn(location.hash,this.engine)),this.store.onChange(()=>this.plan()),window.addEventListener("hashchange",()=>this.readHash()),
new ResizeObserver(()=>this.resize()).observe(this.grid),this.draw()}readHash(){location.hash.replace(/^#/,"")!==this.hash&&(this.store.restore(Sn(location.hash,
this.engine)),this.plan())}plan(){this.planned||(this.planned=!0,requestAnimationFrame(()=>{this.planned=!1,this.draw()}))}draw(){let t=performance.now(),{filters:e,
shown:n}=this.store;this.count.draw(this.engine.answer(e),this.whole),this.picker.draw(),this.joint.draw(),this.arrange(n);for(let s of n){let o=this.cardOf(s);
o.arrange(),o.draw(this.engine.histogram(s,o.bins,e))}for(let s of this.maps)s.draw(s.compute());this.quantiles.draw(),this.sql.draw(),this.scheduler.start("err\
ors",this.errors(),fi),this.writeHash(),this.times.push(performance.now()-t)}arrange(t){let e=t.map(s=>this.cardOf(s).element);e.length===this.grid.childElementCount&&
e.every((s,o)=>this.grid.children[o]===s)||(this.grid.replaceChildren(...e),this.resize())}cardOf(t){let e=this.cards.get(t)??new ye(this.store,this.engine.attributes[t]);
return this.cards.set(t,e),e}resize(){for(let t of this.store.shown)this.cards.get(t)?.resize();for(let t of this.maps)t.resize()}*errors(){let{engine:t}=this,{
filters:e,shown:n}=this.store;this.groups.draw(),yield,this.compare.draw(),yield;for(let s of n){let o=this.cardOf(s),i=[],a=this.store.engineFor(o.bins.length);
for(let[u,h]of o.bins.entries())i.push(a.answer(t.narrowed(e,[s],[h]),o.values[u])),yield;let l=t.attributes[s].ordered?Kt(t,s,[.25,.5,.75],e):[];o.drawErrors(i,
l)}if(this.heat){let[s,o]=this.heat.bins,i=[],a=this.store.engineFor(s.length*o.length);for(let l of s)for(let u of o){let h=this.heat.values[i.length];i.push(a.
answer(t.narrowed(e,this.store.map,[l,u]),h)),yield}this.heat.drawErrors(i)}yield*this.quantiles.fill()}writeHash(){this.hash=Zr(this.store,this.first),clearTimeout(
this.writing),this.writing=window.setTimeout(()=>history.replaceState(null,"",this.hash?`#${this.hash}`:location.pathname+location.search),150)}async settled(){
do await new Promise(t=>requestAnimationFrame(()=>setTimeout(t,0))),await this.scheduler.settled();while(this.planned)}};function es(r){let t=document.getElementById(
r);if(!t)throw new Error(`the page has no part ${r}`);return t}var Ft=await je.open(JSON.parse(es("view").textContent)),In=new En(Ft);In.start(es("page"));var gi={
ready:!0,answer:r=>Ft.answer(r),histogram:(r,t,e)=>Ft.histogram(r,t,e),quantiles:(r,t,e)=>_(Wt(Ft,r,t,e)),sql:r=>{let{columns:t,rows:e}=ee(Ft,r),n=(s,o)=>"text"in
s?s.text(o):_(s.figure(o));return{columns:t.map(({name:s})=>s),rows:e.map(s=>t.map(o=>n(o,s)))}},settled:()=>In.settled(),times:In.times};Object.assign(window,{
ripost:gi});
